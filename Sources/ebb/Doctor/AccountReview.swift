import OfflineSync
import SQLiteStore
import TableClient
import TodoCore
import Words

/// Whether the list in the store is that of the configured server and user.
struct AccountReview {
  let store: StoreInspection?
  let probe: ServerProbe

  /// False when it is another's.
  func run(_ report: (Finding) -> Void) -> Bool {
    guard let store else { return true }
    do {
      let state = try store.read { try AccountState(of: $0, for: probe.remote, announced: probe.database) }
      report(finding(state))
      if case .other = state { return false }
    } catch {
      report(.fail(.account, error))
    }
    return true
  }

  private func finding(_ state: AccountState) -> Finding {
    switch state {
    case .unowned: return .ok(.account, .accountNobodys)
    case .own: return .ok(.account, words: probe.remote.server)
    case .moved(let owner): return .ok(.account, .accountMoved, ["server": probe.remote.server, "owner": owner])
    case .other(let account):
      let sentence = ErrorMessages.catalogue.reason(.otherAccount(account))
      // A server that was not heard may be the old one at another address.
      return probe.wasAnswered ? .fail(.account, words: sentence) : .warn(.account, words: sentence)
    }
  }
}
