import FoundationEssentials
import StorageSupport
import Support
import Synchronization
import TableProtocol
import TableSQL
import Testing

@testable import TableStorage

/// Writers that keep a ledger of what was acknowledged, while harm is done to their database.
enum PostgreSQLLedger {
  static var options: PostgreSQLStorage.Options {
    var options = PostgreSQLStorage.Options()
    options.patience.busy = .seconds(3)
    return options
  }

  /// Lets them write to two storages until `fault` has done harm so many times, and looks for all of it then.
  static func keep(
    _ address: PostgreSQLAddress, _ options: PostgreSQLStorage.Options = options, faults most: Int,
    _ fault: @escaping @Sendable () throws -> Void
  ) async throws {
    let storages = try (0..<2).map { _ in try PostgreSQLStorage(address, options, makeUUID: { UUID() }) }
    defer { for storage in storages { try? storage.close() } }
    let faults = Count()
    let harm = Task {
      for _ in 0..<most {
        try await Task.sleep(for: .milliseconds(300))
        await #expect(throws: Never.self) { try await blocking(fault) }
        faults.count.add(1, ordering: .relaxed)
      }
    }
    let acknowledged = await withTaskGroup(of: [(RecordID, RecordVersion)].self) { group in
      for number in 0..<6 {
        group.addTask {
          var ledger: [(RecordID, RecordVersion)] = []
          var count = 0
          while ledger.count < 10 || faults.count.load(ordering: .relaxed) < most {
            count += 1
            let id = RecordID("w\(number)-\(count)")
            let version = try? await storages[number % 2].write(ListID.first) { list in
              try list.write(id)
              return try list.row(id)?.system.version
            }
            if let version = version.flatMap(\.self) {
              ledger.append((id, version))
            } else {
              try? await Task.sleep(for: .milliseconds(10))
            }
          }
          return ledger
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    try await harm.value
    let state = try await settled(storages[0])
    for (id, version) in acknowledged { #expect(state[id] == version, "\(id)") }
    let check = try await eventually { try? await storages[1].read(.first) { try $0.check() } }
    #expect(check.stored == check.counted && check.damaged == 0, "a half of a transaction is nowhere")
  }

  private static func settled(_ storage: PostgreSQLStorage) async throws -> [RecordID: RecordVersion] {
    try await eventually {
      try? await storage.read(.first) { list in
        var rows: [RecordID: RecordVersion] = [:]
        try list.forEachRow(of: ListQuery(nulls: .sql, limit: .max)) { row in
          rows[row.id] = row.version
          return true
        }
        return rows
      }
    }
  }

  private final class Count: Sendable {
    let count = Atomic(0)
  }
}
