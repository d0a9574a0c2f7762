import OfflineSync
import TableProtocol
import TodoCore
import Words

/// The result of a sync, as `ebb sync` prints it.
struct Receipt {
  private let result: RefreshResult
  /// Nil if it is not known what the server has.
  private let comparison: TableComparison?

  init(_ result: RefreshResult, _ comparison: TableComparison?) {
    self.result = result
    self.comparison = comparison
  }

  /// `{pushed, pulled, conflicts, failed, leftOut, firstLeftOut, requests, bytesSent, bytesReceived, seconds, here,
  /// there, same}`; the last three are the items on both sides and whether they are the same, null where the server
  /// does not tell. `leftOut` are the server's items that can't be stored here.
  var json: [UInt8] {
    JSONObject([
      "pushed": FieldValue(result.pushed),
      "pulled": FieldValue(result.pulled),
      "conflicts": FieldValue(result.conflicts),
      "failed": FieldValue(result.refused),
      "leftOut": FieldValue(result.leftOut),
      "firstLeftOut": result.firstLeftOut.map { .text($0.text) } ?? .null,
      "requests": FieldValue(result.traffic.requests),
      "bytesSent": FieldValue(result.traffic.bytesSent),
      "bytesReceived": FieldValue(result.traffic.bytesReceived),
      "seconds": .real(result.seconds),
      "here": comparison.map { FieldValue($0.here.count) } ?? .null,
      "there": comparison.map { FieldValue($0.there.count) } ?? .null,
      "same": (comparison?.isSame).map(FieldValue.bool) ?? .null,
    ]).bytes + [UInt8(ascii: "\n")]
  }

  var line: String {
    let catalogue = ErrorMessages.catalogue
    var parts = [
      catalogue.text(.receiptSent, ["count": catalogue.number(result.pushed)]),
      catalogue.text(.receiptReceived, ["count": catalogue.number(result.pulled)]),
    ]
    parts += catalogue.undecided(result)
    if let comparison { parts.append(catalogue.words(for: comparison, after: result)) }
    return parts.joined(separator: " · ")
  }
}
