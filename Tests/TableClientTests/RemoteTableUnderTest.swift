import OfflineSync
import Support
import TableClient
import TableProtocol
import Testing

/// What is held to the contract of `RemoteTable`: the fake that other tests stand on, and HTTP against the real
/// server in both versions of the protocol.
enum RemoteTableUnderTest: CaseIterable, Sendable {
  case fake, version2, version3, detected, version2InBatches, version3InBatches

  static let table = "TodoItem"
  static let milk = Record(id: "milk", values: ["text": .text("milk"), "complete": .bool(false)])

  private var version: ProtocolVersion? {
    switch self {
    case .detected: nil
    case .version2, .version2InBatches: .v2
    case .fake, .version3, .version3InBatches: .v3
    }
  }

  /// The server takes batches; a client that was told otherwise sends none.
  private var batching: BatchSupport {
    self == .version2InBatches || self == .version3InBatches ? .json(entries: 3, bytes: 2_000) : .unsupported
  }

  /// Runs the test, on a thread that may block, with an empty server.
  func with(_ test: @escaping @Sendable (any RemoteTable) throws -> Void) async throws {
    guard self != .fake else {
      return try test(FakeServer(manners: FakeServer.Manners { $0.saysMoves = true }))
    }
    try await withServer { address in
      let address = try #require(ServerAddress(address))
      let remote = HTTPRemoteTable(
        address: address, knowledge: ServerKnowledge(protocolVersion: version, batching: batching))
      try await blocking { try test(remote) }
    }
  }

  static func changes(since moment: Timestamp, limit: Int = 50) -> TableQuery {
    TableQuery(
      table: table, filter: .compare("updatedAt", .greaterOrEqual, .timestamp(moment)),
      order: [SortKey("updatedAt"), SortKey("id")], limit: limit, includesDeleted: true)
  }
}

extension RemoteTable {
  /// Adds so many items, the first of them `item100`.
  func fill(_ count: Int) throws {
    let changes = (0..<count).map { number in
      RemoteChange.insert(
        table: RemoteTableUnderTest.table,
        Record(id: "item\(100 + number)", values: ["text": .text("\(number)"), "complete": .bool(number % 2 == 1)]))
    }
    for outcome in send(changes) { _ = try outcome.get() }
  }
}

extension RemoteAnswer {
  var record: Record? {
    if case .accepted(let record) = self { record } else { nil }
  }
}

extension Result<RemoteAnswer, RemoteFailure> {
  /// What was answered; nil for a failure.
  var answer: RemoteAnswer? { try? get() }
}
