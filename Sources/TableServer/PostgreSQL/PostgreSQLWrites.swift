import Synchronization

/// Decides which writers may run: of each list one at a time in this process, and together those that want the same lists.
///
/// The lock is the row of the list in the database, where writers of other processes wait too. Here they wait without a
/// connection, and share a commit: a commit waits for the disk, and one wait serves them all.
final class PostgreSQLWrites: Sendable {
  /// Writers that share a commit at most, so that the first of them does not wait for ever.
  static let mostTogether = 64

  typealias Job = WriteJob<PostgreSQLEditableList>

  private let most: Int
  private let start: @Sendable ([Job], PostgreSQLWrites) -> Void
  private let state = Mutex(State())

  private struct State {
    var waiting: [Job] = []
    var busy: Set<ListID> = []
    var running = 0
  }

  /// At most so many groups run at once. `start` begins one on a thread of its own, which calls ``finish(_:)`` at its end.
  init(most: Int, start: @escaping @Sendable ([Job], PostgreSQLWrites) -> Void) {
    self.most = most
    self.start = start
  }

  func add(_ job: Job) {
    state.withLock { $0.waiting.append(job) }
    startNext()
  }

  func finish(_ lists: [ListID]) {
    state.withLock { state in
      state.busy.subtract(lists)
      state.running -= 1
    }
    startNext()
  }

  private func startNext() {
    while let group = next() { start(group, self) }
  }

  /// The first writers whose lists are free, and all that want the same ones. Those that wait for longer go first: a list
  /// that one of them wants is not free for those behind it.
  private func next() -> [Job]? {
    state.withLock { state in
      guard state.running < most else { return nil }
      var taken = state.busy
      guard
        let first = state.waiting.firstIndex(where: { job in
          defer { taken.formUnion(job.lists) }
          return taken.isDisjoint(with: job.lists)
        })
      else { return nil }
      let lists = state.waiting[first].lists
      var group: [Job] = []
      var rest: [Job] = []
      for job in state.waiting {
        if job.lists == lists, group.count < Self.mostTogether { group.append(job) } else { rest.append(job) }
      }
      state.waiting = rest
      state.busy.formUnion(lists)
      state.running += 1
      return group
    }
  }
}
