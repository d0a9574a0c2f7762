import Dispatch
import FoundationEssentials
import StorageSupport
import Support
import TableProtocol
import TableSQL
import Testing

@testable import TableStorage

/// What every ``TableStorage`` promises of what is written together, and of those who write and read beside it. A new
/// one is put into ``StorageKind`` and must pass as it is.
@Suite("The transactions of a storage")
struct TransactionContractTests {
  @Test("keeps what a write did, and nothing of one that throws", arguments: StorageKind.allCases)
  func atomic(kind: StorageKind) async throws {
    struct Refusal: Error {}
    try await kind.use { storage async throws in
      try await storage.write(.first) { list in
        try list.insert(.made("a", at: 1))
        try list.save(lastMoment: Timestamp(milliseconds: 1), digest: TableDigest(count: 1, checksum: 7))
        #expect(try list.row("a") != nil, "a transaction sees what it wrote")
      }
      let before = try await storage.read(.first) { try $0.state() }
      #expect(before.digest == TableDigest(count: 1, checksum: 7) && before.newestMoment?.milliseconds == 1)
      await #expect(throws: Refusal.self) {
        try await storage.write(.first) { list in
          try list.add([TableColumn(name: "extra", kind: .number)])
          try list.insert(.made("b", at: 2))
          var row = Record.made("a", at: 3)
          row.system.deleted = true
          try list.update(row)
          try list.save(lastMoment: Timestamp(milliseconds: 3), digest: TableDigest())
          throw Refusal()
        }
      }
      #expect(try await storage.ids() == ["a"])
      let after = try await storage.read(.first) { (try $0.state(), $0.schema.columns.count) }
      #expect(after.0 == before && after.1 == 2)
    }
  }

  @Test("lets one of many writers fail and the others not", arguments: StorageKind.allCases)
  func failingWriter(kind: StorageKind) async throws {
    struct Refusal: Error {}
    try await kind.use { storage async throws in
      let outcomes = await withTaskGroup(of: (Int, Bool).self) { writers in
        for number in 0..<40 {
          writers.addTask {
            do {
              try await storage.write(.first) { list in
                try list.insert(.made("row\(number)", at: Int64(number)))
                if number % 4 == 0 {
                  try list.add([TableColumn(name: "c\(number)", kind: .text)])
                  throw Refusal()
                }
              }
              return (number, true)
            } catch {
              return (number, false)
            }
          }
        }
        return await writers.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
      }
      #expect(outcomes.allSatisfy { $0.value == ($0.key % 4 != 0) })
      let kept = outcomes.filter(\.value).keys.map { RecordID("row\($0)") }.sorted()
      #expect(try await storage.ids() == kept)
      #expect(try await storage.read(.first) { $0.schema.columns.count } == 2)
    }
  }

  @Test("keeps what one transaction did to several lists, or nothing of it", arguments: StorageKind.allCases)
  func severalLists(kind: StorageKind) async throws {
    struct Refusal: Error {}
    let movies = ListID(try #require(ServedTable(named: "movies")))
    let unwritten = ListID(try #require(ServedTable(named: "unwritten")))
    try await kind.use { storage async throws in
      for isRefused in [true, false, true] {
        let outcome = await Result<Void, any Error>.of {
          try await storage.write([movies, .first, unwritten]) { lists in
            #expect(lists.map(\.id) == [movies, .first, unwritten] && lists[2].isNew)
            let id = RecordID("r\(try lists[1].count(of: ListQuery(nulls: .sql, limit: 1)))")
            try lists[0].add([TableColumn(name: "c\(id)", kind: .text)])
            try lists[0].insert(.made(id, at: 1))
            #expect(try lists[2].otherListsOfOwner() == 2 && !lists[0].isNew)
            try lists[1].insert(.made(id, at: 2))
            if isRefused { throw Refusal() }
          }
        }
        #expect((outcome == nil) == !isRefused)
      }
      for list in [movies, .first] {
        #expect(try await storage.read(list) { try $0.count(of: ListQuery(nulls: .sql, limit: 9)) } == 1)
      }
      #expect(try await storage.read(movies) { $0.schema.columns.map(\.name) } == ["cr0"])
      #expect(try await Set(storage.lists()) == [movies, .first], "a list that nothing was written to leaves no trace")
      // Both ways at once: neither waits for the other for ever.
      await withTaskGroup(of: Void.self) { writers in
        for number in 0..<20 {
          writers.addTask {
            let lists = number % 2 == 0 ? [movies, .first] : [.first, movies]
            let moment = Int64(3 + number)
            try? await storage.write(lists) { for list in $0 { try list.insert(.made("w\(number)", at: moment)) } }
          }
        }
      }
      #expect(try await storage.ids().count == 21)
    }
  }

  @Test("undoes a part of a transaction, and goes on with the rest", arguments: StorageKind.allCases)
  func parts(kind: StorageKind) async throws {
    struct Refusal: Error {}
    try await kind.use { storage async throws in
      try await storage.write(.first) { list in
        try list.insert(.made("a", at: 1))
        let kept = try list.part {
          try list.insert(.made("b", at: 2))
          return (true, isKept: true)
        }
        let undone = try list.part {
          try list.add([TableColumn(name: "extra", kind: .number)])
          try list.insert(.made("c", at: 3))
          return (false, isKept: false)
        }
        #expect(kept && !undone && list.schema.columns.count == 2)
        #expect(throws: Refusal.self) {
          try list.part {
            try list.insert(.made("d", at: 4))
            if list.schema.columns.count == 2 { throw Refusal() }
            return ((), isKept: true)
          }
        }
        try list.insert(.made("e", at: 5))
      }
      #expect(try await storage.ids() == ["a", "b", "e"])
    }
  }

  @Test("lets its writers follow one another: each sees what those before it wrote", arguments: StorageKind.allCases)
  func writersInARow(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      try await withThrowingTaskGroup(of: Void.self) { writers in
        for number in 0..<60 {
          writers.addTask {
            try await storage.write(.first) { list in
              try list.put("row\(number)") { Timestamp(milliseconds: 100) }
            }
          }
        }
        try await writers.waitForAll()
      }
      let moments = try await storage.rows(ListQuery(nulls: .sql, order: [SortKey("updatedAt")], limit: 100))
        .map(\.updatedAt.milliseconds)
      #expect(moments == Array(100..<160))
      let check = try await storage.read(.first) { try $0.check() }
      #expect(check.stored == check.counted && check.counted.count == 60 && check.damaged == 0)
    }
  }

  @Test("lets a reader see one state, whatever is written meanwhile", arguments: StorageKind.allCases)
  func snapshot(kind: StorageKind) async throws {
    try await kind.use { storage async throws in
      try await storage.write(.first) { try $0.insert(.made("a", at: 1)) }
      let (begun, written) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      // A storage may read on the thread that asks, and this one waits: it must not be one of the few that all tests
      // share.
      async let seen: (Int, Int, Record?) = withTaskExecutorPreference(WaitingThreads()) {
        try await storage.read(.first) { list in
          let before = try list.count(of: ListQuery(nulls: .sql, limit: 1))
          begun.signal()
          written.wait()
          // A read may be begun anew.
          written.signal()
          return (before, try list.count(of: ListQuery(nulls: .sql, limit: 1)), try list.row("b"))
        }
      }
      await blocking { begun.wait() }
      try await storage.write(.first) { try $0.insert(.made("b", at: 2)) }
      written.signal()
      let (before, after, row) = try await seen
      // The state before the write, or, if the read was begun anew, the one after it.
      #expect(before == after && before == (row == nil ? 1 : 2))
      #expect(try await storage.ids() == ["a", "b"])
    }
  }
}
