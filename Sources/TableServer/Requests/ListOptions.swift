import TableProtocol

/// What a list request asks for (table-protocol 6.1).
struct ListOptions: Sendable {
  var query: TableQuery
  var includesDeleted = false
  /// Where the page begins, as an earlier answer put it into its next link.
  var skipToken: String?

  init(_ items: QueryItems, table: ServedTable, version: ProtocolVersion) throws(RequestError) {
    query = TableQuery(table: table.name)
    for item in items.items {
      if item.name.lowercased() == "__includedeleted" {
        includesDeleted = item.value.lowercased() == "true"
      } else if item.name.hasPrefix("$") {
        try read(item, version: version)
      }
    }
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
      query.select = item.value.split(separator: ",").map { $0.filter { $0 != " " } }
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
    guard let number = Int(item.value), (0...most).contains(number) else {
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

/// How many rows one answer holds (table-protocol 6.4 and 12).
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
