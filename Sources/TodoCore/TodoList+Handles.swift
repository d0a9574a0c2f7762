import OfflineSync
package import TableProtocol

extension TodoList {
  /// The handle of one item.
  package func handle(of id: RecordID) throws -> String {
    let near = try context.store.read {
      try $0.ids(beginning: String(id.text.prefix(Handles.shortest)), in: Self.table)
    }
    return Handles(sortedIDs: near).handle(of: id)
  }

  /// The handles of all items.
  package func handles() throws -> Handles {
    Handles(sortedIDs: try context.store.read { try $0.ids(beginning: "", in: Self.table) })
  }

  /// The item that a typed handle names: see `ids(named:among:)`. Throws `TodoError.notFound` or `.ambiguousHandle`.
  package func item(handle: String) throws -> TodoItem {
    let ids = try ids(named: handle)
    let items = try ids.prefix(5).compactMap { try item($0) }
    guard let item = items.first else { throw TodoError.notFound }
    guard ids.count == 1 else { throw TodoError.ambiguousHandle(items) }
    return item
  }

  /// The ids that a typed handle may mean, in order: one if it names an item, several if it is ambiguous, else none.
  ///
  /// Ids are compared exactly, so case counts first: the whole id, then the ids that begin with the handle. Only if
  /// there are none, case is ignored. `others` are ids that are not, or no longer, in the list.
  func ids(named handle: String, among others: [RecordID] = []) throws -> [RecordID] {
    guard let first = handle.first else { return [] }
    let exact = try ids(beginning: handle, among: others)
    if exact.contains(RecordID(handle)) { return [RecordID(handle)] }
    guard exact.isEmpty else { return exact }
    let folded = handle.lowercased()
    let similar = try Set([first.lowercased(), first.uppercased()]).flatMap { try ids(beginning: $0, among: others) }
      .filter { $0.text.lowercased().hasPrefix(folded) }.sorted()
    let whole = similar.filter { $0.text.lowercased() == folded }
    return whole.count == 1 ? whole : similar
  }

  /// The ids that begin with a text, in the same case, in order.
  func ids(beginning prefix: String, among others: [RecordID]) throws -> [RecordID] {
    let stored = try context.store.read { try $0.ids(beginning: prefix, in: Self.table) }
    return others.isEmpty ? stored : Set(stored + others.filter { $0.text.hasPrefix(prefix) }).sorted()
  }
}

/// The handles of a list: for each item the shortest beginning of its id that no other item's id has, of
/// four characters or more, so that it still names the same item when the list has grown.
package struct Handles: Sendable {
  static let shortest = 4

  /// How many characters the handles need that need more than the shortest.
  private var longer: [RecordID: Int] = [:]
  /// A bit for each hash of the beginning of an id, set for those in `longer`: most ids need no look into it.
  private var crowded = [UInt64](repeating: 0, count: 1_024)

  /// In the order of ids an item's nearest look-alike is one of its two neighbours.
  init(sortedIDs: [RecordID]) {
    var sharedWithPrevious = 0
    for (index, id) in sortedIDs.enumerated() {
      let sharedWithNext = index + 1 < sortedIDs.count ? Self.shared(id, sortedIDs[index + 1]) : 0
      let length = max(sharedWithPrevious, sharedWithNext) + 1
      if length > Self.shortest { note(id, length) }
      sharedWithPrevious = sharedWithNext
    }
  }

  /// How many characters the longest of them has.
  package var longest: Int { longer.values.max() ?? Self.shortest }

  package func handle(of id: RecordID) -> String {
    String(id.text.prefix(length(of: id)))
  }

  /// The UTF-8 of the handle.
  package func appendHandle(of id: RecordID, to bytes: inout [UInt8]) {
    let length = length(of: id)
    var text = id.text
    text.withUTF8 { characters in
      if Self.areBytesCharacters(characters, until: length) {
        bytes.append(contentsOf: characters.prefix(length))
      } else {
        bytes.append(contentsOf: id.text.prefix(length).utf8)
      }
    }
  }

  private func length(of id: RecordID) -> Int {
    let place = Self.place(of: id)
    guard crowded[place >> 6] & (1 << UInt64(place & 63)) != 0 else { return Self.shortest }
    return longer[id] ?? Self.shortest
  }

  private mutating func note(_ id: RecordID, _ length: Int) {
    longer[id] = length
    let place = Self.place(of: id)
    crowded[place >> 6] |= 1 << UInt64(place & 63)
  }

  /// From 0 to 65,535.
  private static func place(of id: RecordID) -> Int {
    let hash = id.text.utf8.prefix(shortest).reduce(2_166_136_261 as UInt32) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Int((hash >> 16) ^ (hash & 0xFFFF))
  }

  /// How many characters two ids have in common at their beginning.
  private static func shared(_ left: RecordID, _ right: RecordID) -> Int {
    var (first, second) = (left.text, right.text)
    let bytes = first.withUTF8 { left in
      second.withUTF8 { right in
        var count = 0
        while count < min(left.count, right.count), left[count] == right[count] { count += 1 }
        return areBytesCharacters(left, until: count) && areBytesCharacters(right, until: count) ? count : nil
      }
    }
    return bytes ?? zip(left.text, right.text).prefix { $0 == $1 }.count
  }

  /// Whether each byte before a place, and the one there, is a character of its own, as in every UUID. The byte
  /// there counts because an accent belongs to the character before it.
  private static func areBytesCharacters(_ text: UnsafeBufferPointer<UInt8>, until end: Int) -> Bool {
    for place in 0..<min(end + 1, text.count) where text[place] >= 0x80 || text[place] == UInt8(ascii: "\r") {
      return false
    }
    return true
  }
}
