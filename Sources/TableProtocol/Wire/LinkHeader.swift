/// The `Link` header of a 2.0.0 list that has more rows (table-protocol 6.4).
package enum LinkHeader {
  /// The bare form, without angle brackets and quotes: the old clients read no other.
  package static func field(url: String) -> String {
    "\(url); rel=next"
  }

  /// The query part of the link to the next page, in the bare form or in that of RFC 8288. Nil
  /// when there is no such link.
  ///
  /// Nothing else of the URL is of use: one server leaves out its path and port.
  package static func nextQuery(in field: String) -> String? {
    links(in: field).first { isNext($0.parameters) }.flatMap { NextLink.query(of: String($0.url)) }
  }

  private typealias Link = (url: Substring, parameters: Substring)

  private static func links(in field: String) -> [Link] {
    guard let first = field.first(where: { $0 != " " }), first == "<" else {
      guard let end = field.lastIndex(of: ";") else { return [] }
      return [(field[..<end], field[end...])]
    }
    return field.split(separator: "<").compactMap { part in
      part.firstIndex(of: ">").map { (part[..<$0], part[$0...]) }
    }
  }

  private static func isNext(_ parameters: Substring) -> Bool {
    let words = parameters.lowercased().split { " ;,\"<>".contains($0) }
    return words.contains("rel=next") || words.contains("rel=") && words.contains("next")
  }
}
