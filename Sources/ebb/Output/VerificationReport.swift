import OfflineSync
import TableProtocol
import TodoCore
import Words

/// The result of a comparison, as `ebb sync --verify` prints it.
struct VerificationReport {
  private let found: TableVerification

  init(_ found: TableVerification) {
    self.found = found
  }

  private var here: Int { found.here.count }
  private var there: Int { found.there.count }

  /// `{here, there, missingHere, missingThere, different, damaged, unreadable, waiting, same}`. `same` is true only if
  /// nothing waits either.
  var json: [UInt8] {
    JSONObject([
      "here": FieldValue(here),
      "there": FieldValue(there),
      "missingHere": FieldValue(found.missingHere),
      "missingThere": FieldValue(found.missingThere),
      "different": FieldValue(found.unequal),
      "damaged": FieldValue(found.damaged),
      "unreadable": FieldValue(found.unreadable),
      "waiting": FieldValue(found.waiting),
      "same": .bool(found.isSame && found.waiting == 0),
    ]).bytes + [UInt8(ascii: "\n")]
  }

  /// The rows that were left out, and those that a full refresh does not mend, each kind a sentence.
  var remarks: [String] { ErrorMessages.catalogue.remarks(on: found) }

  var line: String {
    let catalogue = ErrorMessages.catalogue
    let (here, there) = (catalogue.number(here), catalogue.number(there))
    if found.isSame { return catalogue.text(StringKey.agreementSame, ["here": here, "there": there]) }
    return catalogue.text(
      .verificationDiffers,
      [
        "here": here, "there": there, "missingHere": catalogue.number(found.missingHere),
        "missingThere": catalogue.number(found.missingThere), "different": catalogue.number(found.unequal),
      ])
  }
}
