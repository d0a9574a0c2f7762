import Foundation
import Synchronization

/// A folder of its own for one test: home, configuration, stores, and the programs started in it. Nothing of the
/// person who runs the tests is read or written.
final class Workspace: Sendable {
  let folder: URL
  private let closing = Mutex<[@Sendable () -> Void]>([])

  private init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("ebb-\(UUID().uuidString.prefix(8))")
    for name in ["home", "data", "config", "output"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
  }

  /// Runs the body with a fresh workspace; afterwards its programs are ended and its folder is removed.
  static func use<Result>(_ body: (Workspace) async throws -> Result) async throws -> Result {
    let workspace = try Workspace()
    defer { workspace.close() }
    return try await body(workspace)
  }

  /// Has this done when the workspace is closed, the last one first.
  func whenClosing(_ action: @escaping @Sendable () -> Void) {
    closing.withLock { $0.append(action) }
  }

  func path(_ name: String) -> String {
    folder.appendingPathComponent(name).path
  }

  /// The whole environment a program of ours is given.
  func environment(_ extra: [String: String] = [:]) -> [String: String] {
    let own = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "HOME": path("home"), "XDG_DATA_HOME": path("data"), "XDG_CONFIG_HOME": path("config"),
      "LANG": "C.UTF-8", "TERM": "dumb",
    ]
    return own.merging(extra) { _, new in new }
  }

  private func close() {
    let actions = closing.withLock { actions in
      defer { actions = [] }
      return actions
    }
    for action in actions.reversed() { action() }
    try? FileManager.default.removeItem(at: folder)
  }
}
