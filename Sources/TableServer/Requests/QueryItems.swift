import TableProtocol

/// The parameters of a query string, decoded, in their order.
struct QueryItems: Hashable, Sendable {
  struct Item: Hashable, Sendable {
    var name: String
    var value: String
  }

  var items: [Item]

  init(_ query: Substring) {
    items = query.split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      return Item(
        name: PercentEncoding.decode(name, plusIsSpace: true),
        value: PercentEncoding.decode(pair.dropFirst(name.count + 1), plusIsSpace: true))
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
