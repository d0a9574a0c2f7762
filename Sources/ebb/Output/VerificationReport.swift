import TableProtocol
import TodoCore
import Words

/// What was found when everything was compared, as `ebb sync --verify` prints it.
struct VerificationReport {
  private let found: Verification

  init(_ found: Verification) {
    self.found = found
  }

  private var here: Int { found.agreement.here.count }
  private var there: Int { found.agreement.there?.count ?? 0 }

  /// `{here, there, missingHere, missingThere, different, same}`.
  var json: [UInt8] {
    JSONObject([
      "here": FieldValue(here),
      "there": FieldValue(there),
      "missingHere": FieldValue(found.missingHere),
      "missingThere": FieldValue(found.missingThere),
      "different": FieldValue(found.different),
      "same": .bool(found.isSame),
    ]).bytes + [UInt8(ascii: "\n")]
  }

  var line: String {
    let catalogue = Explanation.catalogue
    if found.isSame { return catalogue.text(.receiptSame, ["here": String(here), "there": String(there)]) }
    return catalogue.text(
      .verificationDiffers,
      [
        "here": String(here), "there": String(there), "missingHere": String(found.missingHere),
        "missingThere": String(found.missingThere), "different": String(found.different),
      ])
  }
}
