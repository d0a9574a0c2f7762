import Testing

@Suite("Ports and public names")
struct DeclarationsTests {
  /// What a port is made of, and how many requirements it has at most: somebody has to implement each of them.
  private static let ports: [(protocols: Set<String>, most: Int)] = [
    (["LocalStore", "StoreReader", "StoreWriter"], 24),
    (["UndoReader", "UndoWriter", "MemoryReader", "MemoryWriter"], 12),
    (["RowQueryReader", "RowQueryWriter"], 5),
    (["BulkWriter"], 1),
    (["RemoteTable"], 12),
  ]

  /// What an application outside of this package may use, in alphabetical order.
  private static let publicNames: Set<String> = [
    "Account", "AccountChange", "Cancellation", "Conflict", "ConflictResolution", "FieldValue", "Filter",
    "FilterFunction", "FilterLiteral", "FilterOperator", "InvalidPull", "MassRemoval",
    "OnlineTable", "OnlineTableError", "OtherAccount", "PullQuery", "PushReport", "QueryError", "Record", "RecordID",
    "RecordVersion", "RemoteFailure", "RemoteServer", "RestoreAnswer", "UndoOutcome", "RowUndoOutcome", "SQLiteStore",
    "ServerWentBack", "SortKey", "StoreError", "SyncAnswer", "SyncContext", "SyncDelegate", "SyncEvent", "SyncFailure",
    "SyncProgress", "SyncReport", "SyncRequest", "SyncState", "SyncTable", "SyncTableDefinition", "SyncTableError",
    "SystemProperties", "TableComparison", "TableOperation", "TableOperationError", "TableQuery", "Timestamp",
    "Traffic",
  ]

  private func source(_ text: String) -> Repository.Source {
    Repository.Source(room: "Made", path: "Sources/Made/Made.swift", text: text)
  }

  @Test("a port stays small enough to be implemented")
  func portsAreSmall() throws {
    let sources = try Repository().swiftFiles().filter { $0.room == "OfflineSync" }
    for (protocols, most) in Self.ports {
      let counts = Declarations.requirements(of: protocols, in: sources)
      #expect(!counts.isEmpty)
      #expect(counts.values.reduce(0, +) <= most, "\(counts)")
    }
  }

  @Test("nothing is public but the names on the list, and all of those are")
  func publicNamesAreListed() throws {
    #expect(try Declarations.publicNames(in: Repository().swiftFiles()) == Self.publicNames)
  }

  @Test("the requirements of a protocol are counted, not those of its extensions or of others")
  func countsRequirements() {
    let text = """
      package protocol Port: Sendable {
        /// func comment()
        var name: String { get }
        func read<Value>(_ body: (any Reader) throws -> Value) throws -> Value
        @discardableResult
        func write(
          _ text: String
        ) throws
      }
      extension Port { func more() {} }
      protocol Other { func another() }
      """
    #expect(Declarations.requirements(of: ["Port"], in: [source(text)]) == ["Port": 3])
    #expect(Declarations.requirements(of: ["Missing"], in: [source(text)]) == [:])
  }

  @Test("public types are found, and types with something public in an extension")
  func findsPublicNames() {
    let text = """
      public struct Shown { public var a: Int }
      public final class Also {}
      @frozen public enum Marked {}
      package struct Hidden { let publicKey = 1 }
      extension Hidden {
        public func show() {}
      }
      public extension Opened {}
      extension Shut {
        func hide() {}  // public
      }
      """
    #expect(Declarations.publicNames(in: [source(text)]) == ["Shown", "Also", "Marked", "Hidden", "Opened"])
  }
}
