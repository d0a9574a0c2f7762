import Foundation
import Testing

/// What Resources/run/deps.sh installs from PyPI.
private enum PythonTools {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent(".build/python/bin")

  static var areThere: Bool { FileManager.default.isExecutableFile(atPath: path("schemathesis")) }

  static func path(_ tool: String) -> String { folder.appendingPathComponent(tool).path }
}

@Suite(
  "The document of the protocol, and the server that it describes", .timeLimit(.minutes(10)),
  .enabled(if: PythonTools.areThere, "PyPI could not be reached, so schemathesis is not there: see .build/python.log"))
struct InterfaceDocumentTests {
  /// Of requests of each kind. The same ones each time, so that a change is to blame for what fails; `EBB_SEED` gives
  /// others.
  private static let seed = ProcessInfo.processInfo.environment["EBB_SEED"] ?? "1"

  /// It sends thousands of requests, while all other tests run.
  private static let patience = Duration.seconds(270)

  @Test("agree: what the document allows and what it forbids is answered as it says", arguments: ["fixed", "open"])
  func agreement(tables: String) async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace, words: ["--tables", tables])
      let runner = CommandRunner(workspace: workspace)
      let url = "\(server.url)/openapi.json"
      let document = workspace.path("openapi.json")
      #expect(try await runner.run(["curl", "-sf", "-o", document, url]).status == 0)
      let valid = try await runner.run([PythonTools.path("openapi-spec-validator"), document])
      #expect(valid.status == 0, "\(valid)")
      print("schemathesis, tables \(tables): seed \(Self.seed)")
      // A filter that is no filter is refused, and no pattern of a document can say which those are: so of what is
      // allowed not everything has to be accepted. Wrong tokens and invitations take a second each.
      let agreement = try await runner.run(
        [
          // It leaves notes where it runs.
          "env", "--chdir=\(workspace.path("output"))", PythonTools.path("schemathesis"), "run", url, "--phases",
          "examples,coverage,fuzzing", "--max-examples", "25",
          "--exclude-checks", "positive_data_acceptance", "--continue-on-failure", "--seed", Self.seed, "--no-color",
          "--warnings", "off", "--exclude-operation-id", "readFeed", "--exclude-operation-id", "join",
          "--generation-database", "none",
        ], environment: ["PYTHONDONTWRITEBYTECODE": "1"], within: Self.patience)
      #expect(agreement.status == 0, "\(agreement.output.suffix(6_000))\n\(agreement.error.suffix(2_000))")
    }
  }
}
