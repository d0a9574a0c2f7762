import FoundationEssentials
import TableProtocol
import TableStorage

/// Options of a list request (wire 6.1).
struct ListOptions: Sendable {
  var query: TableQuery
  var includesDeleted = false
  /// Where the page begins, as an earlier answer put it into its next link.
  var skipToken: String?

  /// - names: Other names under which the query may have columns.
  init(
    _ items: QueryItems, table: ServedTable, version: ProtocolVersion, _ names: ColumnNames = .none
  ) throws(RequestError) {
    query = TableQuery(table: table.name)
    for item in items.items {
      if item.name.lowercased() == "__includedeleted" {
        includesDeleted = item.value.lowercased() == "true"
      } else if item.name.hasPrefix("$") {
        try read(item, version: version)
      }
    }
    guard !names.isEmpty else { return }
    query.filter = query.filter?.renamingColumns(names.own)
    query.order = query.order.map { SortKey(names.own($0.column), ascending: $0.ascending) }
    query.select = query.select.map(names.own)
  }

  private mutating func read(_ item: QueryItems.Item, version: ProtocolVersion) throws(RequestError) {
    switch item.name {
    case "$filter":
      query.filter = item.value.isEmpty ? nil : try Self.parse(item, FilterParser.parse)
    case "$orderby":
      query.order = item.value.isEmpty ? [] : try Self.parse(item, OrderParser.parse)
    case "$top":
      query.limit = try Self.number(item, upTo: PageSize.largestTop(version))
    case "$skip":
      query.skip = try Self.number(item, upTo: Int(Int32.max))
    case "$select":
      query.select = Self.names(in: item.value)
    case "$inlinecount":
      query.includesTotalCount = try Self.choice(item, yes: "allpages", no: "none")
    case "$count":
      query.includesTotalCount = try Self.choice(item, yes: "true", no: "false")
    case "$skiptoken":
      skipToken = item.value
    default:
      if version == .v3 { throw .unknownOption(item.name) }
    }
  }

  /// Each name once: in a batch, all others who write wait while the names are looked up among the columns.
  private static func names(in list: String) -> [String] {
    var known: Set<String> = []
    return list.split(separator: ",").map { $0.filter { $0 != " " } }.filter { known.insert($0).inserted }
  }

  private static func parse<Value>(
    _ item: QueryItems.Item, _ parse: (String) throws(FilterSyntaxError) -> Value
  ) throws(RequestError) -> Value {
    do {
      return try parse(item.value)
    } catch {
      throw .syntax(error, option: item.name)
    }
  }

  private static func number(_ item: QueryItems.Item, upTo most: Int) throws(RequestError) -> Int {
    guard item.value.utf8.allSatisfy(\.isDigit), let number = Int(item.value), number <= most else {
      throw .invalidOption(item.name, expected: "a whole number from 0 to \(most)")
    }
    return number
  }

  private static func choice(_ item: QueryItems.Item, yes: String, no: String) throws(RequestError) -> Bool {
    switch item.value {
    case yes: return true
    case no: return false
    default: throw .invalidOption(item.name, expected: "\(yes) or \(no)")
    }
  }
}

/// How many rows one answer holds (wire 6.4 and 12).
enum PageSize {
  /// A page ends early when its body reaches so many bytes; the next link goes on from there.
  static let largestBody = 8_388_608

  /// Rows of a page whose request has no `$top`.
  static func usual(_ version: ProtocolVersion) -> Int { version == .v2 ? 50 : 100 }

  /// Rows of a page whose request asks for more by `$top`: a client that says how much it wants gets
  /// it in fewer round trips.
  static func largest(_ version: ProtocolVersion) -> Int { version == .v2 ? 1_000 : 10_000 }

  /// `$top` above this is refused.
  static func largestTop(_ version: ProtocolVersion) -> Int { version == .v2 ? 1_000 : 128_000 }
}

/// The place in an order after which a page begins: the sort values of the last row before it.
///
/// A next link carries this in place of `$skip`: a row that changes while a client turns pages moves
/// to the end, and by counting rows the client would pass one by (wire 6.4).
struct Continuation: Hashable, Sendable {
  /// One for each sort key, `id` among them.
  let values: [FieldValue]
  /// How many rows match in all, if the client asked for it with the first page.
  let count: Int?

  init(_ values: [FieldValue], count: Int? = nil) {
    self.values = values
    self.count = count
  }

  /// Reads a `$skiptoken`. Nil when it is not one for so many keys.
  init?(token: String, keys: Int) {
    guard let data = Base64URL.decode(token),
      let values = try? JSONDecoder().decode([FieldValue].self, from: data)
    else { return nil }
    if values.count == keys {
      self.init(values)
    } else if values.count == keys + 1, case .integer(let count)? = values.last, count >= 0 {
      self.init(values.dropLast(), count: Int(count))
    } else {
      return nil
    }
  }

  /// Base64 for URLs of a JSON array, the count last: opaque to clients.
  var token: String {
    var writer = JSONWriter()
    writer.raw("[")
    for (index, value) in (values + (count.map { [.integer(Int64($0))] } ?? [])).enumerated() {
      if index > 0 { writer.raw(",") }
      writer.value(value)
    }
    writer.raw("]")
    return Base64URL.encode(writer.bytes)
  }
}

extension Filter {
  /// True for the conditions of pulls: an index finds the rows, and nothing else sorts any out. Also for those of one
  /// row that call no function. Whatever else is asked beside `id gt ''` may look at every row.
  var isAnsweredByIndex: Bool {
    let parts = conjuncts
    return parts.allSatisfy(\.isBound)
      || (parts.contains(where: \.namesRow) && parts.allSatisfy { $0.comparedMember != nil })
  }

  private var conjuncts: [Filter] {
    guard case .binary(.and, let left, let right) = self else { return [self] }
    return left.conjuncts + right.conjuncts
  }

  /// Lower case; nil for anything but a comparison of a column with a constant.
  private var comparedMember: String? {
    guard case .binary(let relation, .member(let name), .literal) = self, relation.isComparison else { return nil }
    return name.lowercased()
  }

  /// A comparison by `id` or `updatedAt` that an index serves.
  private var isBound: Bool {
    guard let name = comparedMember, case .binary(let relation, _, _) = self, relation != .notEqual else {
      return false
    }
    return ["id", "updatedat"].contains(name)
  }

  private var namesRow: Bool {
    guard case .binary(.equal, _, _) = self else { return false }
    return comparedMember == "id"
  }

  /// The latest moment that `updatedAt` must be after, or at, in any part of the condition: what a client thinks
  /// that the server has reached. Nil if the condition has no such part.
  var latestLowerBound: Timestamp? {
    guard case .binary(let relation, let left, let right) = self else { return nil }
    if relation == .and || relation == .or {
      return [left.latestLowerBound, right.latestLowerBound].compactMap(\.self).max()
    }
    guard relation == .greater || relation == .greaterOrEqual, case .member(let name) = left,
      name.lowercased() == SystemColumn.updatedAt.lowercased(), case .literal(let literal) = right
    else { return nil }
    if case .timestamp(let moment) = literal { return moment }
    if case .text(let text) = literal { return Timestamp(text) }
    return nil
  }
}

/// The parameters of a query string, decoded, in their order.
struct QueryItems: Hashable, Sendable {
  struct Item: Hashable, Sendable {
    var name: String
    var value: String
  }

  var items: [Item]

  init(_ query: Substring) {
    // By bytes: to tell one character from the next takes longer than everything else about a short list.
    items = query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      return Item(
        name: PercentEncoding.decode(Substring(pair[..<end]), plusIsSpace: true),
        value: PercentEncoding.decode(Substring(pair[end...].dropFirst()), plusIsSpace: true))
    }
  }

  /// The value of the first parameter of that name.
  subscript(_ name: String) -> String? {
    items.first { $0.name == name }?.value
  }

  /// The same without regard to the case of the name.
  subscript(anyCase name: String) -> String? {
    items.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  mutating func set(_ name: String, _ value: String?) {
    items.removeAll { $0.name == name }
    if let value { items.append(Item(name: name, value: value)) }
  }

  /// The query string, percent-encoded.
  var text: String {
    items.map { "\(PercentEncoding.encodeQuery($0.name))=\(PercentEncoding.encodeQuery($0.value))" }
      .joined(separator: "&")
  }
}
