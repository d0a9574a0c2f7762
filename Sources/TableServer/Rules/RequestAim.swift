import HTTPTypes
import TableProtocol
import TableStorage

/// Whether a request is meant for this database, and for this state of it. A request that does not say is meant for
/// any.
struct RequestAim: Hashable, Sendable {
  /// The identity of a database.
  let database: String?
  let epoch: DatabaseEpoch?
  /// The latest moment that the client has read.
  let newest: Timestamp?
  /// The name of a user.
  let user: String?

  init(_ headers: HTTPFields) {
    database = headers[.database]
    epoch = headers[.epoch].flatMap { DatabaseEpoch($0) }
    newest = headers[.newest].flatMap { Timestamp($0) }
    user = headers[.user]
  }

  /// Throws if the request is meant for another database.
  func check(_ identity: DatabaseIdentity) throws(RequestError) {
    guard let database else { return }
    guard database.lowercased() == identity.text else { throw .otherDatabase }
  }

  /// Throws if the request is meant for another user than `owner`, whose lists it is about: nil if nobody signed in.
  /// Where nobody needs a token, as in a new database, one that is shown is not known either.
  func check(_ owner: UserName?, showsToken: Bool) throws(RequestError) {
    guard let user else { return }
    guard let owner else { throw .access(showsToken ? .wrongToken : .noToken) }
    if user != owner.text { throw .access(.otherUser) }
  }

  /// Throws if the request is meant for another epoch, or its client has read later rows than were ever written here:
  /// then nobody raised the epoch.
  /// Of several lists that it is about, the client may mean any.
  func check(_ lists: [any StoredList]) throws {
    guard epoch != nil || newest != nil else { return }
    let states = try lists.map { try $0.state() }
    if let newest, !states.isEmpty, states.allSatisfy({ isBehind(newest, $0) }) { throw RequestError.otherEpoch }
    if let epoch, !states.allSatisfy({ epoch.isMeant(for: $0.epoch) }) { throw RequestError.otherEpoch }
  }

  /// Throws unless whoever did not sign in may still use these lists. Once tokens are given out they belong to the
  /// first user who gets one of scope `sync`: a request would begin others, which nobody would find again. On a server
  /// that is open to everybody, others may be begun, but the list of to-do items not by a client that has read rows:
  /// these were of the former one.
  ///
  /// Throws also if a list of a user is new who has no token any more, and `ownersHaveTokens`: the user was removed,
  /// and for a moment the server goes by the tokens of before.
  func checkOwner(of lists: [any StoredList], isOpen: Bool, ownersHaveTokens: Bool) throws {
    for list in lists where list.isNew {
      if list.id.owner != nil {
        if ownersHaveTokens, try !list.isOwnerAdmitted() { throw RequestError.access(.removedUser) }
      } else if !isOpen || newest != nil && list.id.table == .todoItem {
        if try list.wereTokensGiven() { throw RequestError.access(.noToken) }
      }
    }
  }

  /// The clock of writes decides. If it was put back alone, the rows do.
  private func isBehind(_ reached: Timestamp, _ state: ListState) -> Bool {
    if reached <= state.lastMoment.advanced(byMilliseconds: 1) { return false }
    return !(state.newestMoment.map { reached <= $0 } ?? false)
  }
}
