/// Whether the list in a store is that of the configured server and user, found out without changing anything.
package enum AccountStanding: Sendable, Hashable {
  /// It was never synced, or emptied since.
  case nobodys
  case own
  /// Its server is at another address than before; the next sync goes on with it.
  case moved(from: String)
  /// A sync would send nothing, and ask.
  case other(OtherAccount)

  /// `announced` is the identity of the database that the server told just now; nil where it told none, or was not
  /// heard. Throws `StoreError`.
  package init(of store: any StoreReader, for remote: any RemoteTable, announced: String?) throws {
    guard let owner = try Account.owner(of: store) else {
      self = .nobodys
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
