public import OfflineSync

extension SyncContext {
  /// Keeps these tables in a store, and syncs them with a server. Without a server every sync ends with
  /// ``RemoteFailure/Reason/noServer``, and the changes wait.
  ///
  /// Makes the tables and columns that the store lacks. Throws `StoreError`. The `delegate` decides about conflicts while
  /// a sync runs; without one they wait in ``SyncTable/conflicts()``.
  public convenience init(
    tables: [SyncTableDefinition], store: SQLiteStore, remote: RemoteServer? = nil, delegate: (any SyncDelegate)? = nil
  ) throws {
    try store.define(tables)
    let log = SyncLog()
    let table = try remote?.connect(tables, store, .system, log) ?? UnconfiguredRemoteTable()
    self.init(
      SyncPorts(
        tables: tables.map(\.name), store: store, remote: table, lock: FileLock(storePath: store.path),
        environment: .system, delegate: delegate, log: log))
  }
}
