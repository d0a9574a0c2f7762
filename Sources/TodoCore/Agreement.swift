/// The items of both sides when they were last compared: how many, and a number made of the ids and versions of all
/// of them. It says nothing of what the items hold: that is what a ``Verification`` compares.
package struct Agreement: Sendable, Hashable {
  package let here: Side
  /// Nil when the server does not tell.
  package let there: Side?

  package struct Side: Sendable, Hashable {
    /// Items that are not deleted.
    package let count: Int
    package let checksum: UInt64

    package init(count: Int, checksum: UInt64) {
      self.count = count
      self.checksum = checksum
    }
  }

  package init(here: Side, there: Side?) {
    self.here = here
    self.there = there
  }

  /// Nil when nobody knows.
  package var isSame: Bool? { there.map { $0 == here } }
}

/// What was found when everything was compared with the server, item by item.
package struct Verification: Sendable, Hashable {
  package let agreement: Agreement
  /// Items the server has and this device has not.
  package let missingHere: Int
  /// Items this device believes the server has, and it has not.
  package let missingThere: Int
  /// Items of which the two have different versions, or the same version with other content.
  package let different: Int

  package init(agreement: Agreement, missingHere: Int = 0, missingThere: Int = 0, different: Int = 0) {
    self.agreement = agreement
    self.missingHere = missingHere
    self.missingThere = missingThere
    self.different = different
  }

  package var isSame: Bool { missingHere == 0 && missingThere == 0 && different == 0 }
}
