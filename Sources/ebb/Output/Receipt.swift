import TableProtocol
import TodoCore
import TodoUI

/// What a sync did, as `ebb sync` prints it.
struct Receipt {
  private let result: RefreshResult

  init(_ result: RefreshResult) {
    self.result = result
  }

  /// `{pushed, pulled, conflicts, failed, requests, bytesSent, bytesReceived, seconds}`.
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
    return parts.joined(separator: " · ")
  }
}
