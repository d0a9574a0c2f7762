import FoundationEssentials
import Glibc
import OfflineSync
import SQLiteStore
import TableClient
import TableProtocol
import TodoCore

/// The parts of the program, put together for one store and one server.
struct AppContext {
  let settings: Settings
  let store: SQLiteStore
  let list: TodoList

  /// Opens the store; the network is not touched. Throws `CommandFailure` or `StoreError`.
  ///
  /// A command that works `offline` does not look at the settings of the server: it must work whatever they are.
  /// Warnings about the configuration go to standard error, unless `warn` says otherwise.
  init(
    _ flags: SettingFlags, offline: Bool = false,
    warn: ([SettingWarning]) -> Void = { StandardOutput.error(ErrorMessages.sentence(for: $0)) }
  ) throws {
    let settings = try Settings(flags, environment: ProcessInfo.processInfo.environment, offline: offline)
    try self.init(settings, offline: offline, warn: warn)
  }

  init(
    _ settings: Settings, offline: Bool = false,
    warn: ([SettingWarning]) -> Void = { StandardOutput.error(ErrorMessages.sentence(for: $0)) }
  ) throws {
    self.settings = settings
    var warnings = SettingWarning.unknownKeys(in: settings.file)
    if settings.isStoreNamed, !settings.hasStoreFolder { warnings.append(.newStore(settings.store)) }
    store = try SQLiteStore(path: settings.store, for: offline ? .oneCommand : .longUse)
    if !warnings.isEmpty { warn(warnings) }
    let log = SyncLog()
    list = TodoList(
      context: SyncContext(
        SyncPorts(
          tables: [TodoList.table], store: store, remote: try Self.remote(settings, store, log),
          lock: FileLock(storePath: settings.store), environment: .system, log: log)))
  }

  private static func remote(
    _ settings: Settings, _ store: SQLiteStore, _ log: SyncLog
  ) throws -> any RemoteTable {
    guard let address = settings.server else { return UnconfiguredRemoteTable() }
    let knowledge = try store.read {
      try ServerKnowledge(of: address.text, in: $0, now: Environment.system.now())
    }
    return HTTPRemoteTable(
      address: address, token: settings.token,
      newerToken: { [file = settings.tokenFile] in file.flatMap { Settings.token(in: $0) } }, knowledge: knowledge,
      settings: ClientSettings(columns: TodoList.columns), now: Environment.system.now, onRequest: log.note)
  }
}
