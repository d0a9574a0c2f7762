package import TableProtocol

/// Values that are not equal and look the same to a person: an unset one, and false or an empty text. Some clients
/// leave out what is false or empty, and the server stores null.
///
/// A person is not asked about a difference that cannot be seen. Only questions are judged so: an edit from null to
/// false is an edit, and goes out.
extension FieldValue {
  /// True if a person sees no difference between the two. Nil, no value at all, looks like none.
  package func looks(like other: FieldValue?) -> Bool {
    switch (self, other) {
    case (.null, .bool(false)), (.bool(false), .null): true
    case (.null, .text(let text)), (.text(let text), .null): text.isEmpty
    case (_, let other): self == other
    }
  }
}

extension Columns {
  /// True if a person sees no difference between the two copies of a row. As for ``agrees(with:)``, a column that only
  /// one of them has is none, and a copy of which no column is known looks like no other.
  package func look(like other: Columns) -> Bool {
    if self == other { return true }
    return isEmpty == other.isEmpty && allSatisfy { name, value in value.looks(like: other[name] ?? value) }
  }

  /// The same for rows that may be absent; two absent rows look alike.
  package static func lookAlike(_ left: Columns?, _ right: Columns?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.look(like: right)
    case (nil, _?), (_?, nil): false
    }
  }
}
