package import OfflineSync
import TableProtocol
package import TodoCore

extension Catalogue {
  /// How much a refresh sent and received, whether both sides agree now, and how long it took.
  package func receipt(of result: RefreshResult, _ comparison: TableComparison?, separator: String) -> String {
    var parts = [
      text(.statusSent, ["sent": number(result.pushed)]), text(.statusReceived, ["received": number(result.pulled)]),
    ]
    parts += undecided(result)
    if let comparison { parts.append(words(for: comparison, after: result)) }
    parts.append(text(.receiptSeconds, ["seconds": seconds(result.seconds)]))
    return parts.joined(separator: separator)
  }

  /// How many changes of a refresh met another copy, or were refused: `1 conflict`, `2 refused`.
  package func undecided(_ result: RefreshResult) -> [String] {
    [
      result.conflicts > 0 ? text(.statusConflicts, count: result.conflicts) : nil,
      result.refused > 0 ? text(.statusRefused, count: result.refused) : nil,
    ].compactMap(\.self)
  }

  /// Which items of the server can't be stored here; nil if all can.
  package func leftOut(of result: RefreshResult) -> String? {
    guard result.leftOut > 0 else { return nil }
    return text(.receiptLeftOut, count: result.leftOut, ["id": result.firstLeftOut?.text ?? text(.receiptNoID)])
  }

  /// How many deletions were sent to no account; nil if none was dropped.
  package func droppedDeletions(of result: RefreshResult) -> String? {
    result.droppedDeletions > 0 ? text(.receiptDroppedDeletions, count: result.droppedDeletions) : nil
  }

  /// `1,204 here, 1,204 there, the same`. Only what both sides had agreed on was compared: a change that the server did
  /// not take in this refresh is none of it, and the words say that it is left out.
  package func words(for comparison: TableComparison, after result: RefreshResult?) -> String {
    let isWhole = result.map { $0.conflicts + $0.refused == 0 && !$0.leavesChanges } ?? true
    return text(
      comparison.isSame ? (isWhole ? .agreementSame : .agreementSameElse) : .agreementDiffers,
      ["here": number(comparison.here.count), "there": number(comparison.there.count)])
  }

  package func sentence(for verification: TableVerification) -> String {
    ([comparison(of: verification)] + remarks(on: verification)).joined(separator: text(.sentenceSeparator))
  }

  /// The rows that a comparison left out, those that a full refresh does not mend, and what to do about them.
  package func remarks(on verification: TableVerification) -> [String] {
    [
      verification.waiting == 0 ? nil : text(.verifiedWaiting, count: verification.waiting),
      verification.damaged == 0 ? nil : text(.verifiedDamaged, count: verification.damaged),
      verification.unreadable == 0 ? nil : text(.verifiedUnreadable, count: verification.unreadable),
    ].compactMap(\.self)
  }

  private func comparison(of verification: TableVerification) -> String {
    if verification.isSame {
      return text(
        .verifiedSame,
        ["count": number(verification.here.count), "checksum": String(verification.here.checksum, radix: 16)])
    }
    return text(
      verification.isBehind ? .verifiedBehind : .verifiedDiffers,
      [
        "missingHere": number(verification.missingHere), "missingThere": number(verification.missingThere),
        "different": number(verification.unequal),
      ])
  }

  /// `12 changes: 4 done, 6 new, 2 edited`
  package func away(_ arrivals: [Arrival.Kind: Int]) -> String {
    let kinds = Arrival.Kind.allCases.filter { arrivals[$0, default: 0] > 0 }
    let counts = kinds.map { text($0.counted, count: arrivals[$0, default: 0]) }
    return text(.away, count: arrivals.values.reduce(0, +), ["list": counts.joined(separator: text(.listSeparator))])
  }

  package func word(for kind: Arrival.Kind) -> String {
    switch kind {
    case .added: text(.arrivalAdded)
    case .completed: text(.arrivalCompleted)
    case .reopened: text(.arrivalReopened)
    case .edited: text(.arrivalEdited)
    case .deleted: text(.arrivalDeleted)
    case .settled: text(.arrivalSettled)
    }
  }
}

extension Arrival.Kind {
  /// How many of this kind.
  fileprivate var counted: PluralKey {
    switch self {
    case .added: .arrivedAdded
    case .completed: .arrivedCompleted
    case .reopened: .arrivedReopened
    case .edited: .arrivedEdited
    case .deleted: .arrivedDeleted
    case .settled: .arrivedSettled
    }
  }
}
