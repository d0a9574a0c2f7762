import TableProtocol

/// Which requests go together in one batch, by their number and their bytes.
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

    /// Two halves, for a server to which the whole was too large.
    var halves: [Chunk] {
      let middle = indices.count / 2
      return [
        Chunk(indices: Array(indices[..<middle]), entries: Array(entries[..<middle])),
        Chunk(indices: Array(indices[middle...]), entries: Array(entries[middle...])),
      ]
    }
  }

  /// Requests that are too large for any batch are in none.
  private(set) var chunks: [Chunk] = []

  /// Of the requests those with these indices. An entry's id is its index: answers find their requests by it.
  init(_ requests: [ChangeRequest], _ indices: [Int], entries most: Int, bytes largest: Int) {
    var open = Chunk()
    for index in indices {
      let entry = requests[index].entry(id: index)
      guard BatchBody.overhead + entry.count + 1 <= largest else { continue }
      if open.indices.count >= most || open.size + entry.count + 1 > largest {
        chunks.append(open)
        open = Chunk()
      }
      open.indices.append(index)
      open.entries.append(entry)
      open.size += entry.count + 1
    }
    if !open.indices.isEmpty { chunks.append(open) }
  }
}
