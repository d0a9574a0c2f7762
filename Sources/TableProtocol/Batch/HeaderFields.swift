/// The headers of a request or an answer: texts by their names, which are in lower case.
///
/// There are a few of them. To look at each is faster than a table of hashes, and a batch has thousands of these.
package struct HeaderFields: Sendable, Hashable {
  /// In the order of their names, each of which is there once.
  private var fields: [Field] = []

  package struct Field: Sendable, Hashable {
    package let name: String
    package let value: String
  }

  package init() {}

  /// Names and values. Of a name that is there several times, the first counts.
  package init(_ pairs: some Sequence<(String, String)>) {
    for (name, value) in pairs { insert(value, as: name) }
  }

  package var isEmpty: Bool { fields.isEmpty }
  package var count: Int { fields.count }

  /// The value of a header; nil if there is none. Setting it to nil removes the header.
  package subscript(name: String) -> String? {
    get { fields.first { $0.name == name }?.value }
    set {
      fields.removeAll { $0.name == name }
      if let newValue { insert(newValue, as: name) }
    }
  }

  /// Returns false, and changes nothing, if the name is there already.
  @discardableResult
  package mutating func insert(_ value: String, as name: String) -> Bool {
    let place = fields.lastIndex { $0.name <= name }.map { $0 + 1 } ?? 0
    guard place == 0 || fields[place - 1].name != name else { return false }
    fields.insert(Field(name: name, value: value), at: place)
    return true
  }
}

extension HeaderFields: Sequence {
  /// In the order of their names.
  package func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
}
