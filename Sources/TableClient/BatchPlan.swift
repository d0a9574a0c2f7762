import TableProtocol

/// Which requests go together in one batch, by their number and their bytes. A batch is made when it is asked for.
struct BatchPlan {
  /// Indices of requests, and their entries.
  struct Chunk {
    var indices: [Int] = []
    var entries: [[UInt8]] = []
    var size = BatchBody.overhead

    var body: [UInt8] { BatchBody.bytes(entries) }

    /// Without the other changes.
    func only(_ left: [Int]) -> Chunk {
      guard left.count < indices.count else { return self }
      let kept = Set(left)
      let places = indices.indices.filter { kept.contains(indices[$0]) }
      return Chunk(indices: places.map { indices[$0] }, entries: places.map { entries[$0] })
    }
  }

  /// Indices that are in no batch yet.
  private var left: ArraySlice<Int>
  /// Entries that are written already and are in no batch: the last one did not have room for them, or was too large.
  private var made: ArraySlice<(index: Int, entry: [UInt8])> = []
  private let most: Int
  private var largest: Int
  /// The most entries of the next batch.
  private var limit: Int

  /// Batches have at most this many entries and bytes. If several are under way at once, `growing`, the first are small
  /// and each has twice the entries of the one before, up to the most: the first answer comes soon, and is settled
  /// while the server works at the others.
  init(_ indices: [Int], entries most: Int, bytes largest: Int, growing: Bool = false) {
    left = indices[...]
    self.most = most
    self.largest = largest
    limit = growing && Self.isLarge(indices.count, entries: most) ? max(1, most / Self.parts) : most
  }

  /// True if this many changes fill several batches. Fewer of them are made as large as may be: more batches would need
  /// more connections.
  static func isLarge(_ count: Int, entries most: Int) -> Bool { count / 3 > most }

  /// How many times the first of growing batches would go into a whole one.
  private static let parts = 8

  /// Returns the next batch; nil if there is none. Requests that are too large for any batch are in none. `entry` makes
  /// the entry of the request with an index, which is its id: answers find their requests by it.
  mutating func next(_ entry: (Int) -> [UInt8]) -> Chunk? {
    var chunk = Chunk()
    while chunk.indices.count < limit, let next = made.popFirst() ?? left.popFirst().map({ ($0, entry($0)) }) {
      let size = next.entry.count + 1
      guard BatchBody.overhead + size <= largest else { continue }
      guard chunk.size + size <= largest else {
        made.insert(next, at: made.startIndex)
        break
      }
      chunk.indices.append(next.index)
      chunk.entries.append(next.entry)
      chunk.size += size
    }
    limit = limit > most / 2 ? most : limit * 2
    return chunk.indices.isEmpty ? nil : chunk
  }

  /// Takes a batch back that was too large. From now on batches are at most half as large; a request that is too large
  /// for those is in none.
  mutating func takeBack(_ chunk: Chunk) {
    largest = min(largest, chunk.size / 2)
    made += zip(chunk.indices, chunk.entries).map { (index: $0, entry: $1) }
  }

  /// Puts batches back that did not leave. They come before all that is left.
  mutating func putBack(_ chunks: [Chunk]) {
    let entries = chunks.flatMap { zip($0.indices, $0.entries) }
    made.insert(contentsOf: entries.map { (index: $0, entry: $1) }, at: made.startIndex)
  }

  var isEmpty: Bool { made.isEmpty && left.isEmpty }
}
