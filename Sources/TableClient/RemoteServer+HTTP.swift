public import OfflineSync

extension RemoteServer {
  /// A server at an address, such as `https://list.example`, with the token that signs in there; nil for none. Returns
  /// nil if the address is not an `http` or `https` URL with a host.
  ///
  /// If the server does not accept the token, `newerToken` is called on the sync queue, and its token is used instead.
  public init?(_ address: String, token: String? = nil, newerToken: @escaping @Sendable () -> String? = { nil }) {
    guard let address = ServerAddress(address) else { return nil }
    self.init { tables, store, environment, log in
      let knowledge = try store.read { try ServerKnowledge(of: address.text, in: $0, now: environment.now()) }
      let columns = Dictionary(tables.map { ($0.name, $0.columns) }, uniquingKeysWith: { $1 })
      return HTTPRemoteTable(
        address: address, token: token, newerToken: newerToken, knowledge: knowledge,
        settings: ClientSettings(columns: columns), now: environment.now, onRequest: log.note)
    }
  }
}
