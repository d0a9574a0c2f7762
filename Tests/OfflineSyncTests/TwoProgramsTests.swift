import Chance
import OfflineSync
import Support
import Synchronization
import TableProtocol
import Testing

/// Two programs really run at once on one store, a file, and sync with one server, while people edit in both and
/// another client edits on the server. Which of them is first is left to chance; what they do follows from the seed.
@Suite("Two programs on one store")
struct TwoProgramsTests {
  private static let edits = 60
  /// Items that another client completes and reopens, and that nobody deletes.
  private static let shared: [RecordID] = ["shared0", "shared1", "shared2"]

  @Test(
    "that edit and sync at once lose nothing, double nothing and leave nothing to send", arguments: 1...4,
    [false, true])
  func atOnce(seed: UInt64, isOrdered: Bool) async throws {
    let server = FakeServer(manners: .init { $0.promisesOrder = isOrdered ? .always : .never })
    for id in Self.shared { server.put(id, ["text": .text(id.text), "complete": .bool(false)]) }
    let first = try TestDevice(server)
    let programs = [first, try first.beside(server)]
    await first.sync()
    let diary = Diary(Self.shared, writers: programs.count)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, program) in programs.enumerated() {
        group.addTask { [seed] in
          try await blocking { try Self.edit(program, number, seed, diary) }
          diary.close()
        }
        group.addTask {
          var chance = SeededGenerator(seed: seed * 10 + UInt64(number) + 5)
          repeat {
            Self.weather(&chance, server)
            await program.sync(pulls: Int.random(in: 0..<4, using: &chance) > 0)
          } while diary.writers > 0
        }
      }
      group.addTask {
        for step in 0..<Self.edits { server.put(Self.shared[step % 3], ["complete": .bool(step.isMultiple(of: 2))]) }
      }
      try await group.waitForAll()
    }
    try await check(programs, server, diary)
  }

  private static func edit(_ program: TestDevice, _ number: Int, _ seed: UInt64, _ diary: Diary) throws {
    var chance = SeededGenerator(seed: seed * 10 + UInt64(number))
    for step in 0..<edits {
      let word = "p\(number)w\(step)"
      let choice = Int.random(in: 0..<8, using: &chance)
      guard choice > 1, let id = diary.ids.randomElement(using: &chance) else {
        diary.wrote(word, try program.add(word))
        continue
      }
      if choice == 2, !shared.contains(id) {
        // The other program may have deleted it a moment ago.
        if try program.table.delete([id]) > 0 { diary.deleted(id) }
      } else {
        let count = try program.table.update([id]) { row in
          ["text": .text((row.values["text"]?.text ?? "") + " " + word)]
        }
        if count > 0 { diary.wrote(word, id) }
      }
    }
  }

  private static func weather(_ chance: inout SeededGenerator, _ server: FakeServer) {
    switch Int.random(in: 0..<6, using: &chance) {
    case 0: server.fail(.lostAnswer)
    case 1: server.fail(.pass, .lostAnswer)
    case 2: server.fail(.unreachable)
    case _: break
    }
  }

  private func check(_ programs: [TestDevice], _ server: FakeServer, _ diary: Diary) async throws {
    // Faults that are left may cut some of these.
    for _ in 0..<12 { for program in programs { await program.sync() } }
    for program in programs {
      #expect(await program.sync().failure == nil)
      #expect(try program.operations().isEmpty)
      #expect(try program.errors().isEmpty)
      let there = server.rows.mapValues { $0.values["text"]?.text ?? "" }
      #expect(try program.texts() == there)
      #expect(try await program.verify().get().same == there.count)
    }
    let rows = server.rows
    #expect(Set(rows.keys) == Set(diary.ids))
    for (id, words) in diary.words {
      #expect((rows[id]?.values["text"]?.text ?? "").split(separator: " ").map(String.init).sorted() == words.sorted())
    }
  }
}

/// What was acknowledged to the people at the programs.
private final class Diary: Sendable {
  private struct Pages {
    var words: [RecordID: [String]]
    var gone: Set<RecordID> = []
    var writers: Int
  }

  private let items: Mutex<Pages>

  init(_ ids: [RecordID], writers: Int) {
    items = Mutex(Pages(words: Dictionary(uniqueKeysWithValues: ids.map { ($0, [$0.text]) }), writers: writers))
  }

  /// Those who still write.
  var writers: Int { items.withLock(\.writers) }
  func close() { items.withLock { $0.writers -= 1 } }

  /// The words of each item that nobody has deleted.
  var words: [RecordID: [String]] { items.withLock { items in items.words.filter { !items.gone.contains($0.key) } } }
  var ids: [RecordID] { words.keys.sorted() }

  func wrote(_ word: String, _ id: RecordID) { items.withLock { $0.words[id, default: []].append(word) } }
  func deleted(_ id: RecordID) { items.withLock { _ = $0.gone.insert(id) } }
}
