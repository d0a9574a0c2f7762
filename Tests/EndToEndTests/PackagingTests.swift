import Foundation
import Testing

/// The scripts behind `make build` and `make install`. Those of the packages are tested by `make test-packages`.
@Suite("Building and installing")
struct PackagingTests {
  private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Resources/run").path

  /// Runs build.sh in a folder of its own with a program that says what `swift build` would.
  private func build(_ workspace: Workspace, _ says: [String], status: Int = 0) async throws -> Outcome {
    let lines = says.map { "echo \"\($0)\"" }.joined(separator: "\n")
    // Written by the shell: a file that this program writes may still be open in another child when it is to be run.
    let script = """
      cd "$1" && printf '%s' "$2" >swift && chmod +x swift && SWIFT=./swift sh "$0/build.sh" Ebb -c release
      """
    return try await CommandRunner(workspace: workspace).run(
      ["sh", "-c", script, Self.scripts, workspace.path("home"), "#!/bin/sh\n\(lines)\nexit \(status)\n"])
  }

  @Test("a build says its steps with the time that has passed, and keeps what the package manager said")
  func steps() async throws {
    try await Workspace.use { workspace in
      let files = (1...40).map { "[\($0)/41] Compiling NIOCore File\($0).swift" }
      let build = try await build(
        workspace,
        ["Fetching https://example.org/a", "Creating working copy for a", "Building for production..."] + files
          + ["[41/41] Linking ebb", "Build complete!"])
      #expect(build.status == 0 && build.error.isEmpty, "\(build)")
      let lines = build.output.split(separator: "\n")
      #expect(lines.first?.hasPrefix("Building Ebb: getting its parts (0) · 0:0") == true)
      #expect(lines.contains { $0.hasPrefix("Building Ebb: compiling (51 %) · 0:0") } && lines.count < 20, "\(build)")
      #expect(lines.last?.hasPrefix("Built Ebb in 0:0") == true)
      let log = try String(contentsOfFile: workspace.path("home/.build/build.log"), encoding: .utf8)
      #expect(log.contains("[7/41] Compiling NIOCore File7.swift\n"))
    }
  }

  @Test("a build that has nothing to do says nothing")
  func nothing() async throws {
    try await Workspace.use { workspace in
      let build = try await build(workspace, ["[0/1] Planning build", "[0/3] Write sources", "Build complete!"])
      #expect(build.status == 0 && build.output.isEmpty && build.error.isEmpty, "\(build)")
    }
  }

  @Test("a build that fails shows its errors, or the end of what was said if there are none, and ends with 1")
  func failure() async throws {
    try await Workspace.use { workspace in
      let wrong = try await build(
        workspace, ["[1/2] Compiling ebb A.swift", "A.swift:3:4: error: cannot find 'x' in scope", "3 | x"], status: 1)
      #expect(wrong.status == 1 && wrong.error.contains("A.swift:3:4: error: cannot find 'x' in scope\n3 | x\n"))
      #expect(!wrong.error.contains("Compiling") && wrong.error.contains(".build/build.log"), "\(wrong)")
      let killed = try await build(workspace, ["[1/2] Compiling ebb A.swift", "killed"], status: 137)
      #expect(killed.status == 1 && killed.error.contains("killed\n"), "\(killed)")
    }
  }

  @Test("what is installed is found in its places, and removing it leaves nothing behind but folders")
  func installs() async throws {
    try await Workspace.use { workspace in
      let root = workspace.path("a root")
      let runner = CommandRunner(workspace: workspace)
      let script = Self.scripts + "/install.sh"
      let installed = try await runner.run(
        ["sh", script, "install", root, "/opt/x"], environment: ["EBB": "/bin/true"])
      #expect(installed.status == 0, "\(installed)")
      for file in [
        "bin/ebb", "share/man/man5/ebb.5", "share/man/zh_TW/man1/ebb-serve.1", "share/doc/ebb/LICENSE",
        "share/bash-completion/completions/ebb", "share/zsh/site-functions/_ebb",
        "share/fish/vendor_completions.d/ebb.fish", "lib/systemd/system/ebb.socket",
      ] { #expect(FileManager.default.fileExists(atPath: root + "/opt/x/" + file), "\(file)") }
      let unit = try String(contentsOfFile: root + "/opt/x/lib/systemd/system/ebb.service", encoding: .utf8)
      #expect(unit.contains("ExecStart=/opt/x/bin/ebb serve "))
      try Data().write(to: URL(fileURLWithPath: root + "/opt/x/bin/other"))
      #expect(try await runner.run(["sh", script, "remove", root, "/opt/x"]).status == 0)
      let left = try await runner.run(["find", root, "-type", "f"])
      #expect(left.output == root + "/opt/x/bin/other\n", "\(left)")
      #expect(!FileManager.default.fileExists(atPath: root + "/opt/x/share/doc/ebb"))
    }
  }
}
