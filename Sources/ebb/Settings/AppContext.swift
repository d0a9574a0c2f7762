import FoundationEssentials
import Glibc
import OfflineSync
import SQLiteStore
import TableClient
import TodoCore
import Words

/// The parts of the program, put together for one store and one server.
struct AppContext {
  let settings: Settings
  let store: SQLiteStore
  let list: TodoList
  let token: TokenFile

  /// Opens the store; the network is not touched. Throws `CommandFailure` or `StoreError`.
  ///
  /// A command that works `offline` does not look at the settings of the server: it must work whatever they are.
  /// If it does not need a token, one that can't be read is a warning, and nothing is asked of the server before it can
  /// be read. Warnings about the configuration go to standard error, a line each, unless `warn` says otherwise.
  init(
    _ flags: SettingFlags, offline: Bool = false, needsToken: Bool = true,
    warn: ([SettingWarning]) -> Void = { ErrorMessages.sentences(for: $0).forEach(StandardOutput.error) }
  ) throws {
    let settings = try Settings(flags, environment: .ofProcess, offline: offline)
    try self.init(settings, offline: offline, needsToken: needsToken, warn: warn)
  }

  init(
    _ settings: Settings, offline: Bool = false, needsToken: Bool = true,
    warn: ([SettingWarning]) -> Void = { ErrorMessages.sentences(for: $0).forEach(StandardOutput.error) }
  ) throws {
    self.settings = settings
    var (credentials, unreadToken): (Credentials?, SettingWarning?) = (nil, nil)
    do {
      credentials = try offline ? nil : settings.credentials.get()
    } catch {
      guard !needsToken, let warning = SettingWarning(ofToken: error) else { throw error }
      unreadToken = warning
    }
    var warnings = [unreadToken].compactMap(\.self) + SettingWarning.unknownKeys(in: settings.file)
    if settings.isStoreNamed, !settings.hasStoreFolder {
      warnings.append(.newStore(settings.store, namedIn: settings.storePlace))
    }
    store = try SQLiteStore(path: settings.store, for: offline ? .oneCommand : .longUse)
    if !warnings.isEmpty { warn(warnings) }
    let token = TokenFile(credentials?.file ?? unreadToken?.tokenFile, problem: unreadToken)
    self.token = token
    let remote = settings.server.map { address in
      RemoteServer(
        address, signIn: credentials?.signIn, names: settings.columnNames, caFile: settings.caFile,
        needsSignIn: unreadToken != nil, newestSignIn: token.signIn)
    }
    list = TodoList(context: try SyncContext(tables: [TodoList.definition], store: store, remote: remote))
  }
}
