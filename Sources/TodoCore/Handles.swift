package import TableProtocol

/// The handles of a list: for each item the shortest beginning of its id that no other item's id has, of
/// four characters or more, so that it still names the same item when the list has grown.
package struct Handles: Sendable {
  static let shortest = 4

  /// How many characters the handles need that need more than the shortest.
  private var longer: [RecordID: Int] = [:]

  /// In the order of ids an item's nearest look-alike is one of its two neighbours.
  init(sortedIDs: [RecordID]) {
    var sharedWithPrevious = 0
    for (index, id) in sortedIDs.enumerated() {
      let sharedWithNext = index + 1 < sortedIDs.count ? Self.shared(id, sortedIDs[index + 1]) : 0
      let length = max(sharedWithPrevious, sharedWithNext) + 1
      if length > Self.shortest { longer[id] = length }
      sharedWithPrevious = sharedWithNext
    }
  }

  package func handle(of id: RecordID) -> String {
    String(id.text.prefix(longer[id] ?? Self.shortest))
  }

  /// How many characters two ids have in common at their beginning.
  private static func shared(_ left: RecordID, _ right: RecordID) -> Int {
    var count = 0
    var (left, right) = (left.text.makeIterator(), right.text.makeIterator())
    while let character = left.next(), character == right.next() { count += 1 }
    return count
  }
}
