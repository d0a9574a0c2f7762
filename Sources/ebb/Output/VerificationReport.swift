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

  /// `{here, there, missingHere, missingThere, different, damaged, same}`.
  var json: [UInt8] {
    JSONObject([
      "here": FieldValue(here),
      "there": FieldValue(there),
      "missingHere": FieldValue(found.missingHere),
      "missingThere": FieldValue(found.missingThere),
      "different": FieldValue(found.unequal),
      "damaged": FieldValue(found.damaged),
      "same": .bool(found.isSame),
    ]).bytes + [UInt8(ascii: "\n")]
  }

  /// The sentence about rows that the server reports as damaged; nil if it reports none.
  var damage: String? {
    found.damaged == 0 ? nil : ErrorMessages.catalogue.text(.verifiedDamaged, count: found.damaged)
  }

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
