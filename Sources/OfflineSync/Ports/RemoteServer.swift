/// A server of the table protocol: its address, and how to sign in. The module `TableClient` makes it.
///
///     let server = RemoteServer("https://list.example", token: token)
///
/// Nothing is sent before the first sync.
public struct RemoteServer: Sendable {
  /// Makes the remote table for a store. Throws `StoreError`.
  package let connect:
    @Sendable (
      _ tables: [SyncTableDefinition], _ store: any LocalStore, _ environment: Environment, _ log: SyncLog
    ) throws -> any RemoteTable

  package init(
    connect: @escaping @Sendable ([SyncTableDefinition], any LocalStore, Environment, SyncLog) throws -> any RemoteTable
  ) {
    self.connect = connect
  }
}
