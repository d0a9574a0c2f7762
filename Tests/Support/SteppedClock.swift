import Foundation

/// A clock that a test sets, for a PostgreSQL of its own. Debian's libfaketime does it, which `deps.sh` unpacks.
package final class SteppedClock: Sendable {
  private static let library: String? = {
    let files = FileManager.default
    let folders = [files.currentDirectoryPath + "/.build/libfaketime/usr/lib", "/usr/lib"]
    let machines = folders.flatMap { folder in
      ((try? files.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)/faketime/libfaketime.so.1" }
    }
    return machines.first { files.fileExists(atPath: $0) }
  }()

  package static var isThere: Bool { library != nil }

  private let folder: TemporaryFolder

  package init() throws {
    folder = try TemporaryFolder()
    // Another user must come to both.
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
    try files.copyItem(atPath: Self.library ?? "", toPath: folder.file("library.so"))
    try set(seconds: 0)
  }

  /// Lets it differ from the true one by so much from now on.
  package func set(seconds: Int) throws {
    let file = folder.file("clock")
    try Data("\(seconds < 0 ? "" : "+")\(seconds)\n".utf8).write(to: URL(filePath: file + ".new"))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file + ".new")
    // It is read at any time, and must be whole then.
    guard rename(file + ".new", file) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  var environment: [String: String] {
    [
      "EBB_POSTGRES_PRELOAD": folder.file("library.so"), "FAKETIME_TIMESTAMP_FILE": folder.file("clock"),
      "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1",
    ]
  }
}
