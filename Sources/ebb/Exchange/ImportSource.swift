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
      if Self.isFolder(path) { return try readFolder(path) }
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

  private static func unreadable(_ path: String) -> CommandFailure {
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

/// A folder of calendars, as todoman and vdirsyncer keep them: a file a to-do, in folders that are lists, perhaps below
/// others that are accounts.
extension ImportSource {
  private func readFolder(_ path: String) throws -> ImportResult {
    var result = ImportResult()
    var files: [(file: String, list: String?)] = []
    var seen: Set<String> = []
    try Self.findCalendars(in: path, below: "", &seen, &files)
    if files.isEmpty { throw CommandFailure.exchange(.noCalendars(path)) }
    var left = Self.largest
    for (file, list) in files {
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

  /// The files of a folder, then those of the folders in it. `folder` is its path below the first one. A folder that a
  /// link leads back to is not read again.
  private static func findCalendars(
    in path: String, below folder: String, _ seen: inout Set<String>, _ files: inout [(file: String, list: String?)]
  ) throws {
    guard let place = realpath(path, nil) else { return }
    defer { free(place) }
    guard seen.insert(String(cString: place)).inserted else { return }
    let list = folder.split(separator: "/").last.map(String.init)
    let (folders, others) = try names(in: path).reduce(into: ([String](), [String]())) { found, name in
      if isFolder("\(path)/\(name)") { found.0.append(name) } else { found.1.append(name) }
    }
    files += others.filter { $0.lowercased().hasSuffix(".ics") }.map { (folder + $0, list) }
    for name in folders { try findCalendars(in: "\(path)/\(name)", below: "\(folder)\(name)/", &seen, &files) }
  }

  /// In bytes. Nil for what has no size, such as a pipe, which would be waited for; 0 for what can't be opened.
  private static func size(of path: String) -> Int? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    return size < 0 ? nil : size
  }

  /// In alphabetical order, without hidden ones.
  private static func names(in path: String) throws -> [String] {
    guard let folder = opendir(path) else { throw unreadable(path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = Glibc.readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    // A pipe in its place must not be waited for.
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)
    guard folder >= 0 else { return false }
    close(folder)
    return true
  }
}
