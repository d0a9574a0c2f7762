import OfflineSync
import TableProtocol
import TodoCore
import Words

/// What was found when everything was compared, as `ebb sync --verify` prints it.
struct VerificationReport {
  private let found: TableVerification

  init(_ found: TableVerification) {
    self.found = found
  }

  private var here: Int { found.here.count }
  private var there: Int { found.there.count }

  /// `{here, there, missingHere, missingThere, different, damaged, unreadable, same}`.
  var json: [UInt8] {
    JSONObject([
      "here": FieldValue(here),
      "there": FieldValue(there),
      "missingHere": FieldValue(found.missingHere),
      "missingThere": FieldValue(found.missingThere),
      "different": FieldValue(found.unequal),
      "damaged": FieldValue(found.damaged),
      "unreadable": FieldValue(found.unreadable),
      "same": .bool(found.isSame),
    ]).bytes + [UInt8(ascii: "\n")]
  }

  /// What a full refresh does not mend, each a sentence.
  var remarks: [String] { ErrorMessages.catalogue.remarks(on: found) }

  var line: String {
    let catalogue = ErrorMessages.catalogue
    if found.isSame { return catalogue.text(.receiptSame, ["here": String(here), "there": String(there)]) }
    return catalogue.text(
      .verificationDiffers,
      [
        "here": String(here), "there": String(there), "missingHere": String(found.missingHere),
        "missingThere": String(found.missingThere), "different": String(found.unequal),
      ])
  }
}
