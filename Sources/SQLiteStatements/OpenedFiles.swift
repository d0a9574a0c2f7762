import Glibc

/// The file of an open database and the log beside it, as they were when it was opened.
///
/// Cleaners, and programs that copy folders, remove a log that they take for a leftover. Writes after either file was
/// removed or replaced go into a file that nobody can open again. A file that was put back is there again.
package struct OpenedFiles: Sendable {
  /// Tells a file from another one that takes its place.
  package struct Identity: Hashable, Sendable {
    private let device: dev_t
    private let node: ino_t

    fileprivate init(_ status: stat) { (device, node) = (status.st_dev, status.st_ino) }

    /// That of the file that is there now. Nil if there is none, or if that can't be found out.
    package init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }
  }

  private enum State {
    case there
    /// Removed, or another file is in its place.
    case gone
    case unknown
  }

  private let path: String
  private let file: Identity?
  /// Nil if there was none: then none is missed.
  private let log: Identity?

  /// `file` is that of the moment before it was opened: another one may have come meanwhile. The log is that of now,
  /// which a connection has open.
  package init(path: String, file: Identity?) {
    self.path = path
    self.file = file
    log = Identity(path: Self.log(of: path))
  }

  /// The path of the log.
  package static func log(of path: String) -> String { path + "-wal" }

  /// The size of the log in bytes; nil if there is none.
  package static func logSize(of path: String) -> Int? {
    var status = stat()
    return stat(Self.log(of: path), &status) == 0 ? Int(status.st_size) : nil
  }

  /// True if the log has more than its header, which has 32 bytes (SQLite file format, 4.1). A new database has none:
  /// SQLite writes the first page of the file before it makes the log.
  package static func hasPagesInLog(of path: String) -> Bool { (logSize(of: path) ?? 0) > 32 }

  /// True if both are there. False also if that can't be found out.
  package var areThere: Bool { fileState == .there && logState == .there }

  /// The path of the one that was removed or replaced; nil if both are there, or if that can't be found out.
  package var gone: String? {
    if fileState == .gone { return path }
    return logState == .gone ? Self.log(of: path) : nil
  }

  /// True if the log was removed or replaced, and the file was not.
  package var isLogGone: Bool { logState == .gone && fileState != .gone }

  private var fileState: State { Self.state(of: path, since: file) }
  private var logState: State { log.map { Self.state(of: Self.log(of: path), since: $0) } ?? .there }

  private static func state(of path: String, since known: Identity?) -> State {
    var status = stat()
    guard stat(path, &status) == 0 else { return errno == ENOENT ? .gone : .unknown }
    return Identity(status) == known ? .there : .gone
  }
}
