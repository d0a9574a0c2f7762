/// One item as a database holds it.
struct StoredRow: Hashable {
  let id: String
  let text: String
  let complete: Bool
  let version: String?

  var words: Set<String> { Set(text.split(separator: " ").map(String.init)) }
}

extension [StoredRow] {
  var words: Set<String> { reduce(into: []) { $0.formUnion($1.words) } }
}
