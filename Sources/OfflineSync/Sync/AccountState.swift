/// Whether the configured server and user own the list in a store. Finding out changes nothing.
package enum AccountState: Sendable, Hashable {
  /// The store was never synced, or was emptied since.
  case unowned
  case own
  /// The server has another address than before. The next sync continues with it.
  case moved(from: String)
  /// Another account owns the list. A sync would send nothing, and ask.
  case other(OtherAccount)

  /// `announced` is the database that the server announced just now; nil if it announced none, or did not answer.
  /// Throws `StoreError`.
  package init(of store: any StoreReader, for remote: any RemoteTable, announced: String?) throws {
    guard let owner = try Account.owner(of: store) else {
      self = .unowned
      return
    }
    let current = Account(remote)
    let known = try store.fact(SyncFact.database(of: owner.server))
    let isOtherDatabase = announced != nil && known != nil && announced != known
    if owner.isSameUser(as: current), owner.server == current.server, !isOtherDatabase {
      self = .own
    } else if owner.isSameUser(as: current), owner.server != current.server, announced != nil, announced == known {
      self = .moved(from: owner.server)
    } else {
      self = .other(OtherAccount(owner: owner, current: current, pending: try store.operationCount()))
    }
  }
}
