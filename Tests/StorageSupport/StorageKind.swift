import FoundationEssentials
import InMemoryStorage
import Support
package import TableStorage

/// The storages, which all keep one contract: `StorageContractTests` and `TransactionContractTests`.
package enum StorageKind: CaseIterable, Sendable {
  case sqlite, memory, postgreSQL

  /// Without those that this machine does not have, which the suites of PostgreSQL say.
  package static var allCases: [StorageKind] {
    [.sqlite, .memory] + (PostgreSQLCluster.isInstalled ? [.postgreSQL] : [])
  }

  /// Those that a server has.
  package static var ofServers: [StorageKind] { allCases.filter { $0 != .memory } }

  package func use(_ body: (any TableStorage) async throws -> Void) async throws {
    switch self {
    case .memory:
      try await body(MemoryStorage())
    case .sqlite:
      try await ServerDatabaseFile.use { file in try await Self.open(.file(file.path), body) }
    case .postgreSQL:
      try await PostgreSQLDatabase.use { address in try await Self.open(.postgreSQL(address), body) }
    }
  }

  private static func open(
    _ location: DatabaseLocation, _ body: (any TableStorage) async throws -> Void
  ) async throws {
    let service = DatabaseService(
      reading: .seconds(60), busy: .seconds(60), goesByDatabaseClock: false, isPooled: false,
      update: DatabaseUpdate(clock: WallClock.now, onCopy: { _ in }), makeUUID: { UUID() })
    let storage = try service.open(location)
    defer { try? storage.close() }
    try await body(storage)
  }
}
