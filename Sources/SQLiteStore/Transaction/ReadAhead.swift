import Dispatch
import OfflineSync
import Synchronization
import TableProtocol

extension SQLiteTransaction {
  /// Loads each part on another connection while the ones before are changed: about a third of the work of a large
  /// change, on another processor. The other connection reads the state before this transaction.
  func forEach<Part: Sendable, Loaded: Sendable>(
    _ parts: [Part], load: @escaping @Sendable (any StoreReader, Part) throws -> Loaded,
    _ body: (Part, Loaded) throws -> BulkProgress.Answer
  ) throws {
    let ahead = parts.count > 2 ? beside.map { ReadAhead(parts, on: $0, load) } : nil
    defer { ahead?.stop() }
    for part in parts {
      let loaded: Loaded
      if let next = ahead?.next() {
        loaded = next.loaded
        places = next.places
      } else {
        loaded = try load(self, part)
      }
      guard try body(part, loaded) == .goOn else { return }
    }
  }
}

/// A thread that loads parts of a large change in order, some parts ahead of the one that takes them.
private final class ReadAhead<Loaded: Sendable>: Sendable {
  /// A part that was loaded, and the places of its rows.
  struct Part: Sendable {
    let loaded: Loaded
    let places: [RecordID: Int64]
  }

  private struct State {
    var parts: [Part] = []
    var isStopped = false
  }

  /// Of parts that wait to be taken.
  private static var most: Int { 4 }

  private let state = Mutex(State())
  /// One signal for each part that is loaded, and one for the end.
  private let loaded = DispatchSemaphore(value: 0)
  private let room = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init<Element: Sendable>(
    _ elements: [Element], on read: @escaping StoreConnections.Read,
    _ load: @escaping @Sendable (any StoreReader, Element) throws -> Loaded
  ) {
    for _ in 0..<Self.most { room.signal() }
    DispatchQueue.global().async { [self] in
      // The one who takes a part that is missing loads it, and meets the error if it is more than one of this thread.
      try? read { database in
        let reader = SQLiteTransaction(database: database)
        let before = try PageCache.readingManyRows.use(in: database)
        defer { before.restore(in: database) }
        for element in elements {
          room.wait()
          guard !state.withLock(\.isStopped) else { return }
          let part = Part(loaded: try load(reader, element), places: reader.places)
          state.withLock { $0.parts.append(part) }
          loaded.signal()
        }
      }
      loaded.signal()
      ended.signal()
    }
  }

  /// Waits for the next part. Returns nil if the thread has ended without it.
  func next() -> Part? {
    loaded.wait()
    guard let part = state.withLock({ $0.parts.isEmpty ? nil : $0.parts.removeFirst() }) else {
      // The next question gets the same answer.
      loaded.signal()
      return nil
    }
    room.signal()
    return part
  }

  /// Returns when the thread reads nothing any more.
  func stop() {
    state.withLock { $0.isStopped = true }
    room.signal()
    ended.wait()
  }
}
