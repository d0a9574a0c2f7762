import Glibc

/// The file of an open database and the log beside it. Writes after either was removed or replaced go into a
/// file that nobody can open again.
struct WatchedFile: Sendable {
  private let parts: [Part]

  private struct Part {
    let path: String
    let identity: Identity
  }

  private struct Identity: Hashable {
    let device: dev_t
    let node: ino_t

    /// Nil if there is no file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, node) = (status.st_dev, status.st_ino)
    }
  }

  /// Files at the path now; the database is open. Without its log if that may still go.
  init(path: String, withLog: Bool = true) {
    let paths = withLog ? [path, path + "-wal"] : [path]
    parts = paths.compactMap { path in Identity(path).map { Part(path: path, identity: $0) } }
  }

  /// Throws if a file is not there any more, or another one is in its place. A file that was put back is there again.
  func check() throws(StorageError) {
    for part in parts where Identity(part.path) != part.identity { throw .fileGone }
  }
}
