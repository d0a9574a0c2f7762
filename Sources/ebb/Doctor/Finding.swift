import TableProtocol
import Words

/// The result of one check of `ebb doctor`.
struct Finding {
  enum State: String {
    case ok, warn, fail
  }

  let check: DoctorCheck
  let state: State
  /// The thing that was found; if it is not well, one sentence that says what to do.
  let words: String
  /// With which exit code the command ends when this is the first that failed.
  var status = ExitStatus.failed

  static func ok(_ check: DoctorCheck, words: String) -> Finding {
    Finding(check: check, state: .ok, words: words)
  }

  static func ok(_ check: DoctorCheck, _ key: DoctorKey, _ values: KeyValuePairs<String, String> = [:]) -> Finding {
    .ok(check, words: ErrorMessages.catalogue.text(key, values))
  }

  static func warn(_ check: DoctorCheck, words: String) -> Finding {
    Finding(check: check, state: .warn, words: words)
  }

  static func warn(_ check: DoctorCheck, _ key: DoctorKey, _ values: KeyValuePairs<String, String> = [:]) -> Finding {
    .warn(check, words: ErrorMessages.catalogue.text(key, values))
  }

  static func fail(_ check: DoctorCheck, words: String, status: Int32 = ExitStatus.failed) -> Finding {
    Finding(check: check, state: .fail, words: words, status: status)
  }

  static func fail(
    _ check: DoctorCheck, _ key: DoctorKey, _ values: KeyValuePairs<String, String> = [:],
    status: Int32 = ExitStatus.failed
  ) -> Finding {
    .fail(check, words: ErrorMessages.catalogue.text(key, values), status: status)
  }

  /// A failure that any command would have met.
  static func fail(_ check: DoctorCheck, _ error: any Error) -> Finding {
    let isNotAllowed = ExitStatus.of(error) == ExitStatus.notAllowed
    return .fail(
      check, words: ErrorMessages.anySentence(for: error),
      status: isNotAllowed ? ExitStatus.notAllowed : ExitStatus.failed)
  }
}

extension Finding {
  /// Where the words stand in ``line``.
  static let wordsColumn = 6

  /// `warn  privacy: …`
  var line: String {
    let sign = state.rawValue + String(repeating: " ", count: Self.wordsColumn - state.rawValue.utf8.count)
    return sign + ErrorMessages.catalogue.text(.line, ["check": name, "words": words.printable])
  }

  /// How many checks came out well, and the names of the others.
  static func summary(of findings: [Finding]) -> String {
    let catalogue = ErrorMessages.catalogue
    let counts = Dictionary(grouping: findings, by: \.state).mapValues(\.count)
    let checks = findings.filter { $0.state != .ok }.map(\.name)
    if checks.isEmpty { return catalogue.text(.summaryWell, ["count": String(findings.count)]) }
    return catalogue.text(
      .summary,
      [
        "ok": String(counts[.ok] ?? 0), "warn": String(counts[.warn] ?? 0), "fail": String(counts[.fail] ?? 0),
        "checks": checks.joined(separator: catalogue.text(.listSeparator)),
      ])
  }

  private var name: String { ErrorMessages.catalogue.name(of: check) }

  /// `[{check, state, words}]`
  static func json(_ findings: [Finding]) -> [UInt8] {
    var writer = JSONWriter(isForTerminal: true)
    writer.raw("[")
    for (index, finding) in findings.enumerated() {
      if index > 0 { writer.raw(",\n ") }
      writer.json(
        JSONObject([
          "check": .text(finding.check.rawValue), "state": .text(finding.state.rawValue), "words": .text(finding.words),
        ]).bytes)
    }
    writer.raw("]\n")
    return writer.bytes
  }
}
