import Foundation

/// What a finished command left behind.
struct Outcome: CustomStringConvertible {
  let command: String
  let status: Int32
  let output: String
  let error: String

  var description: String {
    "`\(command)` ended with \(status)\nstandard output:\n\(output)\nstandard error:\n\(error)"
  }

  /// The lines of standard error, which for every failure should be one.
  var complaints: [Substring] { error.split(separator: "\n") }

  func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(output.utf8))
    } catch {
      throw Failure("not the JSON expected (\(error)): \(self)")
    }
  }
}

/// Runs commands to their end.
struct CommandRunner {
  let workspace: Workspace

  func run(
    _ arguments: [String], environment: [String: String] = [:], within patience: Duration = Patience.long
  ) async throws -> Outcome {
    try await finish(try ChildProcess(arguments, in: workspace, environment: environment), arguments, within: patience)
  }

  /// Runs `ebb` with the words alone.
  func ebb(_ words: String..., environment: [String: String] = [:]) async throws -> Outcome {
    try await run([try Binary.ebb()] + words, environment: environment)
  }

  private func finish(_ child: ChildProcess, _ arguments: [String], within patience: Duration) async throws -> Outcome {
    let command = arguments.joined(separator: " ")
    do {
      let status = try await waitFor(within: patience) {
        child.exitStatus()
      } otherwise: {
        "`\(command)` did not end"
      }
      return Outcome(command: command, status: status, output: child.output, error: child.error)
    } catch {
      child.destroy()
      throw error
    }
  }
}

/// One device: a store of its own, and the commands on it.
struct Device {
  let workspace: Workspace
  let store: String
  var server: String?

  init(_ workspace: Workspace, name: String = "device", server: String? = nil) {
    self.workspace = workspace
    self.store = workspace.path("\(name).sqlite")
    self.server = server
  }

  /// `ebb` and the words, with this device's store and server.
  func words(_ words: [String]) throws -> [String] {
    try [Binary.ebb()] + words + ["--store", store] + (server.map { ["--server", $0] } ?? [])
  }

  /// Runs one command to its end, whatever that is.
  func attempt(_ words: String...) async throws -> Outcome {
    try await CommandRunner(workspace: workspace).run(try self.words(words))
  }

  /// Runs one command that has to succeed.
  @discardableResult
  func ebb(_ words: String...) async throws -> Outcome {
    let outcome = try await CommandRunner(workspace: workspace).run(try self.words(words))
    guard outcome.status == 0 else { throw Failure("\(outcome)") }
    return outcome
  }

  /// Adds an item and gives its handle.
  func add(_ text: String) async throws -> String {
    let answer = try await ebb("add", text).output
    guard let handle = answer.split(whereSeparator: \.isWhitespace).first else {
      throw Failure("`ebb add` printed no handle: \(answer)")
    }
    return String(handle)
  }

  func items(_ words: String...) async throws -> [ListedItem] {
    try await CommandRunner(workspace: workspace).run(try self.words(["list", "--json"] + words)).decoded()
  }

  func status() async throws -> ListedStatus {
    try await ebb("status", "--json").decoded()
  }
}
