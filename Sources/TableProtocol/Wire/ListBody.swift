/// A page of items as either protocol version puts it into a body (table-protocol 6.5).
package struct ListBody: Sendable, Hashable {
  package var items: [Record]
  /// All rows that match, whatever the page holds. Nil when it was not asked for.
  package var count: Int?
  /// Where the next page is, in one of the forms of ``NextLink``; nil on the last page. Protocol
  /// 2.0.0 has it in a header instead, see ``LinkHeader``.
  package var nextLink: String?
  /// The form the body had: an array or `results` is 2.0.0, `items` is 3.0.0.
  package var form: ProtocolVersion

  package init(_ items: [Record], count: Int? = nil, nextLink: String? = nil, form: ProtocolVersion) {
    self.items = items
    self.count = count
    self.nextLink = nextLink
    self.form = form
  }
}

extension ListBody: Decodable {
  private enum Member: String, CodingKey {
    case items, results, count, nextLink
  }

  /// Reads an array, `{results,count}`, or `{items,count,nextLink}` with anything but `items` absent
  /// or null. Throws for any other body, a single item among them.
  package init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: Member.self) else {
      self.init(try decoder.singleValueContainer().decode([Record].self), form: .v2)
      return
    }
    let count = try container.decodeIfPresent(Int.self, forKey: .count)
    if container.contains(.results) {
      self.init(try container.decode([Record].self, forKey: .results), count: count, form: .v2)
    } else {
      self.init(
        try container.decode([Record].self, forKey: .items), count: count,
        nextLink: try container.decodeIfPresent(String.self, forKey: .nextLink), form: .v3)
    }
  }
}

extension ListBody {
  package var bytes: [UInt8] {
    var writer = ListWriter(form: form, count: count)
    for item in items { writer.item { $0.json(ItemBody.bytes(item)) } }
    return writer.finished(nextLink: nextLink)
  }
}
