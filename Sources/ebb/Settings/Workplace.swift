import FoundationEssentials
import Glibc
import OfflineSync
import SQLiteStore
import TableClient
import TableProtocol
import TodoCore

/// The parts of the program, put together for one store and one server.
struct Workplace {
  let settings: Settings
  let list: TodoList

  /// Opens the store; the network is not touched. Throws `CommandFailure` or `StoreError`.
  ///
  /// A command that works `offline` does not look at the settings of the server: it must work whatever they are.
  init(_ flags: SettingFlags, offline: Bool = false) throws {
    settings = try Settings(flags, environment: ProcessInfo.processInfo.environment, offline: offline)
    let store = try SQLiteStore(path: settings.store)
    let context = SyncContext(
      store: store, remote: try Self.remote(settings, store), lock: FileLock(storePath: settings.store),
      environment: .system)
    list = TodoList(context: context)
  }

  private static func remote(_ settings: Settings, _ store: SQLiteStore) throws -> any RemoteTable {
    guard let address = settings.server else { return UnconfiguredRemoteTable() }
    let (version, batching) = try store.read { store in
      (
        try store.fact(SyncFact.protocolVersion(of: address.text)).flatMap(ProtocolVersion.init(rawValue:)),
        try store.fact(SyncFact.batching(of: address.text)).flatMap { BatchSupport($0) }
      )
    }
    return HTTPRemoteTable(
      address: address, token: settings.token, protocolVersion: version, batching: batching,
      now: Environment.system.now)
  }
}

extension Environment {
  /// The machine's clock, random ids, and real waiting.
  static let system = Environment(
    now: { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))) },
    newID: { UUID().uuidString.lowercased() },
    chance: { Double.random(in: 0..<1) },
    pause: { _ = poll(nil, 0, Int32(clamping: $0)) })
}
