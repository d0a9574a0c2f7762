import TableProtocol
import TodoCore
import Words

/// What a sync did, as `ebb sync` prints it.
struct Receipt {
  private let result: RefreshResult
  /// Nil where nobody knows what the server has.
  private let agreement: Agreement?

  init(_ result: RefreshResult, _ agreement: Agreement?) {
    self.result = result
    self.agreement = agreement
  }

  /// `{pushed, pulled, conflicts, failed, requests, bytesSent, bytesReceived, seconds, here, there, same}`; the last
  /// three are the items on both sides and whether they are the same, null where the server does not tell.
  var json: [UInt8] {
    JSONObject([
      "pushed": FieldValue(result.pushed),
      "pulled": FieldValue(result.pulled),
      "conflicts": FieldValue(result.conflicts),
      "failed": FieldValue(result.refused),
      "requests": FieldValue(result.requests),
      "bytesSent": FieldValue(result.bytesSent),
      "bytesReceived": FieldValue(result.bytesReceived),
      "seconds": .real(result.seconds),
      "here": agreement.map { FieldValue($0.here.count) } ?? .null,
      "there": (agreement?.there?.count).map { FieldValue($0) } ?? .null,
      "same": (agreement?.isSame).map(FieldValue.bool) ?? .null,
    ]).bytes + [UInt8(ascii: "\n")]
  }

  var line: String {
    let catalogue = Explanation.catalogue
    var parts = [
      catalogue.text(.receiptSent, ["count": String(result.pushed)]),
      catalogue.text(.receiptReceived, ["count": String(result.pulled)]),
    ]
    if result.conflicts > 0 { parts.append(catalogue.text(.statusConflicts, count: result.conflicts)) }
    if result.refused > 0 { parts.append(catalogue.text(.statusRefused, count: result.refused)) }
    if let agreement, let words = catalogue.words(for: agreement) { parts.append(words) }
    return parts.joined(separator: " · ")
  }
}

extension Catalogue {
  /// Nil where the server does not tell.
  fileprivate func words(for agreement: Agreement) -> String? {
    guard let there = agreement.there else { return nil }
    return text(
      agreement.isSame == true ? .receiptSame : .receiptOther,
      ["here": String(agreement.here.count), "there": String(there.count)])
  }
}
