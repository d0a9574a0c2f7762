import Synchronization
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

/// What is known of a server's batches, by what it announced and by how it answered
/// (wire 18.4).
///
/// That it takes none is remembered for a day, so it is only believed once the server itself has answered a change that
/// was sent alone: something on the way may have answered the batch.
final class BatchUse: Sendable {
  private struct State {
    var support: BatchSupport?
    /// A batch was answered as by a server that takes none.
    var isDoubted = false
    /// Batches refused with 400.
    var strikes = 0
  }

  private let state: Mutex<State>

  init(remembered: BatchSupport?) {
    state = Mutex(State(support: remembered))
  }

  /// What is to be remembered.
  var support: BatchSupport? { state.withLock(\.support) }
  /// What to go by now.
  var current: BatchSupport? { state.withLock { $0.isDoubted ? .unsupported : $0.support } }

  /// Takes note of the announcement on a list. What was tried in vain is not believed again.
  func heard(_ announcement: String?) {
    guard let support = announcement.flatMap({ BatchSupport($0) }) else { return }
    state.withLock { state in
      if state.support != .unsupported { state.support = support }
    }
  }

  func found(_ support: BatchSupport) {
    state.withLock { $0.support = support }
  }

  /// A batch was answered as by a server that takes none: this push goes on without.
  func doubt() {
    state.withLock { $0.isDoubted = true }
  }

  /// A batch was refused as malformed. After the second one, the server is not asked again.
  func refused() {
    state.withLock { state in
      state.strikes += 1
      if state.strikes >= 2 { state.isDoubted = true }
    }
  }

  /// The server itself has answered a change that was sent alone.
  func heardServer() {
    state.withLock { state in
      if state.isDoubted { state.support = .unsupported }
    }
  }

  /// The push is over: what was only doubted counts for nothing.
  func endPush() {
    state.withLock { $0.isDoubted = false }
  }
}
