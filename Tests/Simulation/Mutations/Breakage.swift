import OfflineSync

/// A rule broken on purpose: wrappers round the ports of every device that misbehave. With it a world
/// must find a broken law, or its laws are worth nothing.
package struct Breakage: Sendable, CustomStringConvertible {
  package let name: String
  let hearsCancellation: Bool
  let settings: @Sendable (inout PullSettings) -> Void
  let request: @Sendable (inout SyncRequest) -> Void
  let store: @Sendable (any LocalStore) -> any LocalStore
  let remote: @Sendable (any RemoteTable) -> any RemoteTable

  init(
    _ name: String, hearsCancellation: Bool = true,
    settings: @escaping @Sendable (inout PullSettings) -> Void = { _ in },
    request: @escaping @Sendable (inout SyncRequest) -> Void = { _ in },
    store: @escaping @Sendable (any LocalStore) -> any LocalStore = { $0 },
    remote: @escaping @Sendable (any RemoteTable) -> any RemoteTable = { $0 }
  ) {
    self.name = name
    self.hearsCancellation = hearsCancellation
    self.settings = settings
    self.request = request
    self.store = store
    self.remote = remote
  }

  package var description: String { name }

  /// Nothing is broken.
  package static let none = Breakage("none")

  package static let all = [
    usesSkip, asksForLaterOnly, looksNotBack, savesTokenFirst, trustsShortPages, ignoresTombstones,
    forgetsAttempts, keepsOldVersion, overwritesNewerEdits, trustsEchoes, refusesGone, sendsBlindly, ignoresConflicts,
    takesLostForUnsent, takesFailureForRefusal, takesDenialForRefusal, takesFailureForSuccess, overridesConflicts,
    ignoresAccount, trustsOldServer, forgetsToThaw, keepsTokens, dropsRefused, undoesWholeRows,
    ignoresCancellation, hasNoBrake, tellsNothing, remembersLate,
  ]
}
