/// What `ebb doctor --json` printed, and how it ended.
struct DoctorReport: CustomStringConvertible {
  struct Finding: Decodable {
    let check: String
    let state: String
    let words: String
  }

  let outcome: Outcome
  let findings: [Finding]

  /// Runs it for a device, in a terminal that is known.
  init(_ device: Device, _ words: String..., environment: [String: String] = [:]) async throws {
    let surroundings = ["TERM": "xterm"].merging(environment) { _, new in new }
    outcome = try await CommandRunner(workspace: device.workspace).run(
      try device.words(["doctor", "--json"] + words), environment: surroundings)
    findings = try outcome.decoded()
  }

  /// What a check found, as `state: words`; nil when it was not made.
  subscript(check: String) -> String? {
    findings.first { $0.check == check }.map { "\($0.state): \($0.words)" }
  }

  /// The checks that did not end well, with their states.
  var troubles: [String] { findings.filter { $0.state != "ok" }.map { "\($0.state) \($0.check)" } }

  var description: String { "\(outcome)" }
}
