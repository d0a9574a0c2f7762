import OfflineSync

/// What one key answers.
enum Question: Equatable, Sendable {
  /// Whether to leave though changes wait.
  case leave
  /// What becomes of the list, which is another account's.
  case account(OtherAccount)
  /// Whether the server may take away so much of the list.
  case massRemoval(items: Int, total: Int)
  /// In which order the list is shown.
  case sort
  /// Under which number the filter is kept.
  case slot

  /// Nil for a failure that nobody has to decide about.
  init?(_ failure: SyncFailure) {
    switch failure {
    case .otherAccount(let account): self = .account(account)
    case .massRemoval(let removal): self = .massRemoval(items: removal.rows, total: removal.total)
    case .remote, .store, .otherProgramBusy, .invalidPull, .serverWentBack, .cancelled, .other: return nil
    }
  }

  var place: Place {
    switch self {
    case .leave: .quitPrompt
    case .account: .accountPrompt
    case .massRemoval: .removalPrompt
    case .sort: .sortPrompt
    case .slot: .slotPrompt
    }
  }
}
