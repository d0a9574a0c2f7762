/// Changes of many rows in one transaction, a few hundred at a time.
package protocol BulkWriter {
  /// Calls `body` with each part of the rows and what `load` returns for it, in order, until it answers `.stop`.
  ///
  /// `load` sees the store as it was before the transaction, or as the transaction has left it: a store may load parts
  /// on another thread while `body` changes the ones before. Of a row that an earlier part has changed, `body` has to
  /// load again what it needs. Throws what `load` or `body` throws.
  func forEach<Part: Sendable, Loaded: Sendable>(
    _ parts: [Part], load: @escaping @Sendable (any StoreReader, Part) throws -> Loaded,
    _ body: (Part, Loaded) throws -> BulkProgress.Answer
  ) throws
}

extension BulkWriter where Self: StoreWriter {
  package func forEach<Part: Sendable, Loaded: Sendable>(
    _ parts: [Part], load: @escaping @Sendable (any StoreReader, Part) throws -> Loaded,
    _ body: (Part, Loaded) throws -> BulkProgress.Answer
  ) throws {
    for part in parts where try body(part, load(self, part)) == .stop { return }
  }
}

/// How far a change of many rows has come.
package struct BulkProgress: Sendable, Hashable {
  /// Whether to go on.
  package enum Answer: Sendable {
    case goOn, stop
  }

  /// The number of rows that are loaded and saved at a time.
  static let rowsAtOnce = 500

  package let done: Int
  package let all: Int

  package init(done: Int, all: Int) {
    self.done = done
    self.all = all
  }
}

extension Array {
  /// The elements in parts of this size; the last one may be shorter.
  package func chunked(by size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
