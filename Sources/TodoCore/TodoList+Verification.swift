package import OfflineSync

extension TodoList {
  /// Compares every item with the server's, one by one, and changes nothing. Any server of the protocol can be asked.
  ///
  /// Items that other devices changed since the last refresh count as different. Returns at once. `report` is called
  /// on the sync queue; its last call, and the only one of its kind, is `.finished`. The result ends it early.
  @discardableResult
  package func verify(_ report: @escaping @Sendable (VerificationEvent) -> Void) -> Cancellation {
    context.verify(Self.table, report: report)
  }
}

extension TableVerification {
  /// True if both sides have the same items in the same versions.
  package var isSame: Bool { missingHere == 0 && missingThere == 0 && unequal == 0 }

  /// True if a full refresh can bring both sides together. It can't store a row that is not readable here.
  package var canBeMended: Bool { missingThere > 0 || missingHere + unequal > unreadable }

  /// How many items both sides have, and not the same.
  package var unequal: Int { different + differentContent }
}
