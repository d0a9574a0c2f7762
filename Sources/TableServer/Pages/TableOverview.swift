import HTTPTypes
import TableProtocol
import TableStorage

/// `GET /tables`: the tables of whoever asks, with their columns (wire 6.7). A request of our own.
///
/// It says what the lists of its tables would say, and nothing of anybody else's.
enum TableOverview {
  static let verbs = [HTTPRequest.Method.get].allowed

  static func isMeant(by request: TableRequest) -> Bool { request.path == "/tables" }

  /// Throws `RequestError` and `StorageError`.
  static func respond(
    to request: TableRequest, of owner: UserName?, _ storage: any TableStorage, _ policy: TablePolicy
  ) async throws -> TableResponse {
    guard request.method == .get else { throw RequestError.methodNotAllowed(allowed: verbs) }
    var writer = JSONWriter()
    writer.raw("{")
    writer.member("user", isFirst: true)
    writer.value(owner.map { .text($0.text) } ?? .null)
    writer.member("tables", isFirst: false)
    writer.raw("[")
    for (index, table) in try await tables(of: owner, storage, policy).enumerated() {
      if index > 0 { writer.raw(",") }
      writer.json(try await storage.read(ListID(table, owner: owner)) { try description(of: $0, policy, request) })
    }
    writer.raw("]}")
    return TableResponse(.ok, body: writer.bytes)
  }

  /// That of to-do items first, which is there before anything is in it.
  private static func tables(
    of owner: UserName?, _ storage: any TableStorage, _ policy: TablePolicy
  ) async throws -> [ServedTable] {
    switch policy.tables {
    case .fixed: return [.todoItem]
    case .open:
      let others = try await storage.lists(of: owner).map(\.table).filter { $0 != .todoItem }
      return [.todoItem] + others.sorted { $0.name < $1.name }
    }
  }

  private static func description(
    of list: any StoredList, _ policy: TablePolicy, _ request: TableRequest
  ) throws -> [UInt8] {
    let names = policy.answeredNames(of: list.id.table, request.headers)
    var writer = JSONWriter()
    writer.raw("{")
    writer.member("name", isFirst: true)
    writer.string(list.id.table.name)
    writer.member("count", isFirst: false)
    writer.integer(Int64(try list.state().digest.count))
    writer.member("columns", isFirst: false)
    writer.raw("[")
    for (index, column) in list.schema.columns.filter({ !names.hides($0.name) }).enumerated() {
      writer.raw(index > 0 ? ",{" : "{")
      writer.member("name", isFirst: true)
      writer.string(names.other(column.name))
      writer.member("type", isFirst: false)
      writer.string(column.kind.word)
      writer.raw("}")
    }
    writer.raw("]}")
    return writer.bytes
  }
}

extension TableColumn.Kind {
  fileprivate var word: String {
    switch self {
    case .text: "text"
    case .bool: "boolean"
    case .number: "number"
    }
  }
}
