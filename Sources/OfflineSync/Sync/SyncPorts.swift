/// The ports and settings of a sync.
package struct SyncPorts: Sendable {
  /// The names of the synced tables.
  package let tables: [String]
  package let store: any LocalStore
  package let remote: any RemoteTable
  package let lock: any SyncLock
  package let environment: Environment
  package var settings: PullSettings
  package var delegate: (any SyncDelegate)?
  /// The requests that the sync saves in the store.
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
