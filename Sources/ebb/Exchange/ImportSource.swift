import Exchange
import FoundationEssentials
import Glibc
import TodoCore

/// Where items are imported from.
enum ImportSource {
  case standardInput
  case file(String)

  /// Bytes that are read at most. All of an import is one change, so all of it is held at once.
  private static let largest = 64 << 20

  /// The file that was named; without one, or for `-`, standard input. Throws if that is a terminal and was not asked
  /// for.
  init(_ path: String?) throws {
    switch path {
    case nil where isatty(STDIN_FILENO) == 1: throw CommandFailure.exchange(.noInput)
    case nil, "-": self = .standardInput
    case let path?: self = .file(path)
    }
  }

  var name: String {
    switch self {
    case .standardInput: "-"
    case .file(let path): path
    }
  }

  /// Throws `CommandFailure`.
  func read(_ format: ExchangeFormat?) throws -> ImportResult {
    switch self {
    case .standardInput: return try parse(try Self.bytes(of: STDIN_FILENO, name), name, format)
    case .file(let path):
      if CalendarFolder.isFolder(path) { return try readFolder(path) }
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.unreadable(path) }
      defer { close(descriptor) }
      return try parse(try Self.bytes(of: descriptor, path), path, format)
    }
  }

  private func parse(_ bytes: [UInt8], _ name: String, _ format: ExchangeFormat?) throws -> ImportResult {
    do throws(ImportProblem) {
      return try ImportFile.read(bytes, name: name, format: format, today: CalendarDay(Date())).result
    } catch {
      throw CommandFailure.exchange(.problem(name, error))
    }
  }

  /// With the `errno` of now.
  static func unreadable(_ path: String) -> CommandFailure {
    .exchange(.unreadable(path, errno))
  }

  private static func bytes(of descriptor: Int32, _ name: String) throws -> [UInt8] {
    do throws(InputBytes.Problem) {
      return try InputBytes.all(of: descriptor, atMost: largest)
    } catch {
      switch error {
      case .unreadable(let code): throw CommandFailure.exchange(.unreadable(name, code))
      case .tooLong: throw CommandFailure.exchange(.tooLarge(name, megabytes: largest >> 20))
      }
    }
  }
}

/// A folder of calendars.
extension ImportSource {
  private func readFolder(_ path: String) throws -> ImportResult {
    var result = ImportResult()
    let folder = try CalendarFolder(path)
    if folder.files.isEmpty, folder.linksOut.isEmpty { throw CommandFailure.exchange(.noCalendars(path)) }
    result.leftOut = folder.linksOut.map { LeftOut(line: 1, reason: .outside, file: $0) }
    var left = Self.largest
    for (file, list) in folder.files {
      let size = Self.size(of: "\(path)/\(file)")
      left -= size ?? 0
      guard left >= 0 else { throw CommandFailure.exchange(.tooLarge(path, megabytes: Self.largest >> 20)) }
      guard size != nil, var part = try Self.calendar("\(path)/\(file)") else {
        result.leftOut.append(LeftOut(line: 1, reason: .malformed, file: file))
        continue
      }
      // Each list of a calendar is a project here.
      if let list { part.addProject(list) }
      result.append(part, file: file)
    }
    return result
  }

  /// Nil for a file that is no calendar: one that is cut off holds up no other.
  private static func calendar(_ path: String) throws -> ImportResult? {
    do {
      return try ImportSource.file(path).read(.ics)
    } catch CommandFailure.exchange(.problem) {
      return nil
    }
  }

  /// In bytes. Nil for what has no size, such as a pipe, which would be waited for; 0 for what can't be opened.
  private static func size(of path: String) -> Int? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    return size < 0 ? nil : size
  }
}
