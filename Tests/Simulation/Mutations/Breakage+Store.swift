import OfflineSync
import TableProtocol

/// Things not written down, or written over.
extension Breakage {
  /// Leaves a change marked that surely was not sent.
  static let forgetsToThaw = Breakage(
    "never thaws a change", store: { ForwardingStore(base: $0) { ThawlessWriter($0) } })

  /// Purges the rows and not how far they were pulled (P11).
  static let keepsTokens = Breakage(
    "purges rows and keeps their token", store: { ForwardingStore(base: $0) { TokenKeepingWriter($0) } })

  /// Drops a change that the server refused.
  static let dropsRefused = Breakage(
    "drops what was refused", store: { ForwardingStore(base: $0) { RefusalDroppingWriter($0) } })

  /// Undoes a row as a whole, whoever changed it since.
  static let undoesWholeRows = Breakage(
    "undoes what was changed since", store: { ForwardingStore(base: $0) { ForgetfulHistoryWriter($0) } })

  /// Does not note what a sync changed.
  static let tellsNothing = Breakage(
    "tells nothing of changes", store: { ForwardingStore(base: $0) { SilentWriter($0) } })

  /// Notes what rows were in a transaction of its own.
  static let remembersLate = Breakage("notes what rows were afterwards", store: { LateStore(base: $0) })

  /// Goes on when it is told to stop.
  static let ignoresCancellation = Breakage("goes on after a cancellation", hearsCancellation: false)

  /// Lets a pull remove what it likes (P10).
  static let hasNoGuard = Breakage("removes most of a list unasked", request: { $0.allowsMassRemoval = true })
}

private final class ThawlessWriter: ForwardingWriter {
  override func replace(_ operation: TableOperation) throws {
    var operation = operation
    let stored = try operations(ofItems: [operation.itemID], in: operation.table).first { $0.id == operation.id }
    if stored?.isMarked == true {
      operation.isMarked = true
      operation.sent = operation.sent ?? stored?.sent
    }
    try super.replace(operation)
  }
}

private final class TokenKeepingWriter: ForwardingWriter {
  override func clear(_ memory: StoreMemory, of table: String) throws {
    if memory != .deltaTokens { try super.clear(memory, of: table) }
  }
}

private final class RefusalDroppingWriter: ForwardingWriter {
  override func setError(_ error: TableOperationError?, of operationID: Int64) throws {
    if error?.kind == .refused { try removeOperation(operationID) } else { try super.setError(error, of: operationID) }
  }
}

private final class ForgetfulHistoryWriter: ForwardingWriter {
  override func undoEntries(_ ids: [Int64]) throws -> [UndoEntry] {
    try super.undoEntries(ids).map { entry in
      guard let row = try record(entry.change.itemID, in: entry.change.table) else { return entry }
      var entry = entry
      if entry.isUndone, entry.change.before != nil { entry.change.before?.values = row.values }
      if !entry.isUndone, entry.change.after != nil { entry.change.after?.values = row.values }
      return entry
    }
  }
}

private final class SilentWriter: ForwardingWriter {
  override func putArrivals(_ arrivals: [RowArrival], in table: String, keeping limit: Int) throws {}
}

private struct LateStore: LocalStore {
  let base: any LocalStore

  func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value { try base.read(body) }

  func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value {
    var late: [LateWriter.Note] = []
    let value = try base.write { store in
      let writer = LateWriter(store)
      defer { late = writer.late }
      return try body(writer)
    }
    if !late.isEmpty { try base.write { store in for note in late { try note(store) } } }
    return value
  }
}

private final class LateWriter: ForwardingWriter {
  typealias Note = (any StoreWriter) throws -> Void
  private(set) var late: [Note] = []

  override func appendPastVersions(
    _ versions: [(itemID: RecordID, version: PastVersion)], in table: String, keeping row: Int, of all: Int
  ) throws {
    late.append { try $0.appendPastVersions(versions, in: table, keeping: row, of: all) }
  }
}
