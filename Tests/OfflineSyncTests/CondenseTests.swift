import Testing

@testable import OfflineSync

@Suite("Condensing two changes of one record")
struct CondenseTests {
  typealias Kind = TableOperation.Kind

  @Test(
    "while the first waits, the two become one or nothing",
    arguments: [
      (Kind.insert, Kind.insert, Condense.refuse),
      (.insert, .update, .keep),
      (.insert, .delete, .dropBoth),
      (.update, .insert, .refuse),
      (.update, .update, .keep),
      (.update, .delete, .become(.delete)),
      (.delete, .insert, .become(.update)),
      (.delete, .update, .refuse),
      (.delete, .delete, .keep),
    ])
  func waiting(pending: Kind, new: Kind, expected: Condense) {
    #expect(Condense.action(pending: pending, frozen: false, new: new) == expected)
  }

  @Test(
    "once the first was sent, what follows queues behind it",
    arguments: [
      (Kind.insert, Kind.insert, Condense.refuse),
      (.insert, .update, .append),
      (.insert, .delete, .append),
      (.update, .insert, .refuse),
      (.update, .update, .append),
      (.update, .delete, .append),
      (.delete, .insert, .append),
      (.delete, .update, .refuse),
      (.delete, .delete, .keep),
    ])
  func frozen(pending: Kind, new: Kind, expected: Condense) {
    #expect(Condense.action(pending: pending, frozen: true, new: new) == expected)
  }

  @Test("a record without a pending operation gets one", arguments: Kind.allCases)
  func first(new: Kind) {
    #expect(Condense.action(pending: nil, frozen: false, new: new) == .append)
  }
}
