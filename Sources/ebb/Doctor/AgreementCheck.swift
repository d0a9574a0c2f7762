import FoundationEssentials
import OfflineSync
import SQLiteStore
import TableClient
import TableProtocol
import TodoCore
import Words

/// When this list last heard of its server, and whether both had the same then.
struct AgreementCheck {
  let store: StoreInspection
  let probe: ServerProbe
  /// UTC.
  let now: @Sendable () -> Timestamp

  /// In seconds: a week.
  private static let longAgo = 604_800.0

  private struct Remembered {
    let lastPull: Date?
    /// The items that the last sync would have taken away, if it was stopped.
    let stopped: MassRemoval?
    let digest: TableDigest?
    /// True if everything must be compared.
    let isVoid: Bool
    /// The server tells which database it has, and so what is in it.
    let tells: Bool

    init(_ store: any StoreReader, _ server: String) throws {
      let status = try SyncStatus(of: server, in: store)
      (lastPull, stopped) = (status.lastPull, status.stopped)
      digest = try store.fact(SyncFact.agreement(on: TodoList.table)).flatMap { TableDigest($0) }
      isVoid = try PullHistory(of: TodoList.table, in: store).requiresComparison(of: .everything(of: TodoList.table))
      tells = try store.fact(SyncFact.database(of: server)) != nil
    }
  }

  func run(_ report: (Finding) -> Void) {
    do {
      let remembered = try store.read { try Remembered($0, probe.remote.server) }
      if let lastPull = remembered.lastPull {
        report(lastSync(lastPull))
      } else if remembered.stopped == nil {
        return report(.warn(.lastSync, .lastSyncNever))
      }
      report(agreement(remembered))
    } catch {
      report(.fail(.lastSync, error))
    }
  }

  private func lastSync(_ date: Date) -> Finding {
    let now = now().date
    let ago = ErrorMessages.catalogue.ago(since: date, now)
    return now.timeIntervalSince(date) > Self.longAgo
      ? .warn(.lastSync, .lastSyncOld, ["ago": ago]) : .ok(.lastSync, words: ago)
  }

  private func agreement(_ remembered: Remembered) -> Finding {
    if let stopped = remembered.stopped {
      return .warn(.agreement, .agreementStopped, ErrorMessages.catalogue.values(of: stopped))
    }
    if remembered.isVoid { return .warn(.agreement, .agreementVoid) }
    if let digest = remembered.digest {
      return .ok(
        .agreement, .agreementSame,
        ["count": ErrorMessages.catalogue.number(digest.count), "checksum": String(digest.checksum, radix: 16)])
    }
    return remembered.tells || probe.database != nil
      ? .warn(.agreement, .agreementUnknown) : .ok(.agreement, .agreementUntold)
  }
}

/// Whether the list in the store is that of the configured server and user.
struct AccountReview {
  let store: StoreInspection?
  let probe: ServerProbe

  /// False if it is another's. After a refused sign-in that is not known, and so neither reported nor returned.
  func run(_ report: (Finding) -> Void) -> Bool {
    guard let store else { return true }
    do {
      let state = try store.read { try AccountState(of: $0, for: probe.remote, announced: probe.database) }
      if case .other = state, probe.failure?.asksForSignIn == true { return true }
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
