/// What a sync is made of: the ports it stands on, and how it is to be done.
package struct SyncPorts: Sendable {
  /// The tables that are synced.
  package let tables: [String]
  package let store: any LocalStore
  package let remote: any RemoteTable
  package let lock: any SyncLock
  package let environment: Environment
  package var settings: PullSettings
  package var delegate: (any SyncDelegate)?
  /// Where requests were noted that are to be kept in the store.
  package var log: SyncLog

  package init(
    tables: [String], store: any LocalStore, remote: any RemoteTable, lock: any SyncLock,
    environment: Environment, settings: PullSettings = PullSettings(), delegate: (any SyncDelegate)? = nil,
    log: SyncLog = SyncLog()
  ) {
    self.tables = tables
    self.store = store
    self.remote = remote
    self.lock = lock
    self.environment = environment
    self.settings = settings
    self.delegate = delegate
    self.log = log
  }
}
