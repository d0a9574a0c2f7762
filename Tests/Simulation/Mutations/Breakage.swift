import OfflineSync

/// A rule broken on purpose: wrappers round the ports of every device that misbehave. With it a world
/// must find a broken law, or its laws are worth nothing.
package struct Breakage: Sendable, CustomStringConvertible {
  package let name: String
  /// Those of the worlds that can notice it; any world if there is none.
  let edges: Set<Edge>
  /// The law that has to notice it; nil if any may.
  let law: Law?
  let hearsCancellation: Bool
  /// True if a delegate's decision is applied to the item, whatever has become of the conflict that was shown.
  let decidesByID: Bool
  /// True if a notice is taken for the rows that it is about.
  let believesNotices: Bool
  /// True if every notice leads to a pull, whatever came of those before.
  let pullsForEachNotice: Bool
  let settings: @Sendable (inout PullSettings) -> Void
  let request: @Sendable (inout SyncRequest) -> Void
  let store: @Sendable (any LocalStore) -> any LocalStore
  let remote: @Sendable (any RemoteTable) -> any RemoteTable

  init(
    _ name: String, edges: Set<Edge> = [], law: Law? = nil, hearsCancellation: Bool = true, decidesByID: Bool = false,
    believesNotices: Bool = false, pullsForEachNotice: Bool = false,
    settings: @escaping @Sendable (inout PullSettings) -> Void = { _ in },
    request: @escaping @Sendable (inout SyncRequest) -> Void = { _ in },
    store: @escaping @Sendable (any LocalStore) -> any LocalStore = { $0 },
    remote: @escaping @Sendable (any RemoteTable) -> any RemoteTable = { $0 }
  ) {
    self.name = name
    self.edges = edges
    self.law = law
    self.hearsCancellation = hearsCancellation
    self.decidesByID = decidesByID
    self.believesNotices = believesNotices
    self.pullsForEachNotice = pullsForEachNotice
    self.settings = settings
    self.request = request
    self.store = store
    self.remote = remote
  }

  package var description: String { name }

  /// Nothing is broken.
  package static let none = Breakage("none")

  package static let all = [
    usesSkip, asksForLaterOnly, looksNotBack, savesTokenFirst, trustsShortPages, ignoresTombstones, ignoresWaiting,
    forgetsAttempts, keepsOldVersion, overwritesNewerEdits, trustsEchoes, refusesGone, sendsBlindly, ignoresConflicts,
    takesLostForUnsent, takesFailureForRefusal, takesDenialForRefusal, takesFailureForSuccess, overridesConflicts,
    ignoresAccount, trustsOldServer, forgetsToThaw, keepsTokens, dropsRefused, undoesWholeRows,
    ignoresCancellation, hasNoGuard, tellsNothing, remembersLate, losesToggles, sendsUnclaimed, trustsOldVersions,
    forgetsStop, decidesUnseen, trustsOrder, renewsBirth,
    takesOlderCopies, asksForNoWitness, ignoresEpoch, expectsNothing, insistsOnSending, comparesNothing,
    ignoresServerClock, believesLoss, keepsOwnTokens, passesOthersBy, believesNotices, pullsForEachNotice,
    trustsOtherDatabase, believesAnyRow, believesLastStep, forgetsLostDeletions,
  ]
}
