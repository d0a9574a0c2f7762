import Glibc

/// The calendar files of a folder, as todoman and vdirsyncer keep them: a file a to-do, in folders that are lists,
/// perhaps below others that are accounts.
///
/// Links that lead out of the folder are not followed: a folder that came from somebody else must not bring in, and
/// then sync, files from elsewhere on this device. The folder itself may be a link.
struct CalendarFolder {
  /// The paths of the files below the folder, each with the name of its list.
  private(set) var files: [(file: String, list: String?)] = []
  /// The paths below the folder of the links that lead out of it, to folders and to files of calendars.
  private(set) var linksOut: [String] = []
  /// The path of the folder without links, with a slash at its end.
  private let root: String
  /// The paths of the folders that were read, without links: one that a link leads back to is not read again.
  private var seen: Set<String> = []

  /// Throws `CommandFailure` for a folder that can't be read.
  init(_ path: String) throws {
    guard let place = Self.resolved(path) else { throw ImportSource.unreadable(path) }
    root = place == "/" ? place : place + "/"
    try find(in: path, place, below: "")
  }

  /// The files of a folder, then those of the folders in it. `place` is its path without links, `folder` its path below
  /// the first one.
  private mutating func find(in path: String, _ place: String, below folder: String) throws {
    guard seen.insert(place).inserted else { return }
    let list = folder.split(separator: "/").last.map(String.init)
    var folders: [(name: String, place: String)] = []
    for name in try Self.names(in: path) {
      let whole = "\(path)/\(name)"
      let (isFolder, isCalendar) = (Self.isFolder(whole), name.lowercased().hasSuffix(".ics"))
      guard isFolder || isCalendar else { continue }
      // A link that leads nowhere leads nowhere in the folder.
      guard let place = Self.resolved(whole), isInside(place) else {
        linksOut.append(folder + name)
        continue
      }
      if isFolder { folders.append((name, place)) } else { files.append((folder + name, list)) }
    }
    for (name, place) in folders { try find(in: "\(path)/\(name)", place, below: "\(folder)\(name)/") }
  }

  /// By bytes: a text that only looks the same is another path.
  private func isInside(_ place: String) -> Bool { (place + "/").utf8.starts(with: root.utf8) }

  /// The path without links. Nil for a place that does not exist.
  private static func resolved(_ path: String) -> String? {
    guard let place = realpath(path, nil) else { return nil }
    defer { free(place) }
    return String(cString: place)
  }

  /// In alphabetical order, without hidden ones.
  private static func names(in path: String) throws -> [String] {
    guard let folder = opendir(path) else { throw ImportSource.unreadable(path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = Glibc.readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// True for a link to a folder too.
  static func isFolder(_ path: String) -> Bool {
    // A pipe in its place must not be waited for.
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)
    guard folder >= 0 else { return false }
    close(folder)
    return true
  }
}
