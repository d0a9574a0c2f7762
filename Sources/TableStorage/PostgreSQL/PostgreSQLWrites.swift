import Synchronization

/// Decides which writers may run: of each list one at a time in this process, and together those that want the same
/// lists.
///
/// The lock is the row of the list in the database, where writers of other processes wait too. Here they wait without a
/// connection, and share a commit: a commit waits for the disk, and one wait serves them all.
final class PostgreSQLWrites: Sendable {
  /// Writers that share a commit at most, so that the first of them does not wait for ever.
  static let mostTogether = 64

  typealias Job = WriteJob<PostgreSQLEditableList>

  private let most: Int
  private let longest: Duration
  private let start: @Sendable ([Job], PostgreSQLWrites) -> Void
  private let state = Mutex(State())

  private struct State {
    var waiting: [(job: Job, since: ContinuousClock.Instant)] = []
    /// True while somebody sees to it that none of them waits for too long.
    var isWatched = false
    var busy: Set<ListID> = []
    var running = 0
  }

  /// At most so many groups run at once, and a writer waits for at most `longest`. `start` begins one on a thread of
  /// its own, which calls ``finish(_:)`` at its end.
  init(most: Int, longest: Duration, start: @escaping @Sendable ([Job], PostgreSQLWrites) -> Void) {
    self.most = most
    self.longest = longest
    self.start = start
  }

  func add(_ job: Job) {
    state.withLock { $0.waiting.append((job, .now)) }
    startNext()
    watch()
  }

  func finish(_ lists: [ListID]) {
    state.withLock { state in
      state.busy.subtract(lists)
      state.running -= 1
    }
    startNext()
  }

  /// Refuses those that wait for too long, until nobody waits. Weakly: it sleeps most of the time.
  private func watch() {
    let isFirst = state.withLock { state in
      guard !state.isWatched, !state.waiting.isEmpty else { return false }
      state.isWatched = true
      return true
    }
    guard isFirst else { return }
    Task { [weak self] in
      while let next = self?.refuseLate() { try? await Task.sleep(until: next, clock: .continuous) }
    }
  }

  /// Returns when to look again; nil if nobody waits.
  private func refuseLate() -> ContinuousClock.Instant? {
    let (late, next) = state.withLock { state in
      let latest = ContinuousClock.now - longest
      let count = state.waiting.prefix { $0.since <= latest }.count
      let late = state.waiting.prefix(count).map(\.job)
      state.waiting.removeFirst(count)
      state.isWatched = !state.waiting.isEmpty
      return (late, state.waiting.first.map { $0.since + longest })
    }
    for job in late { job.fail(StorageError.waitedTooLong) }
    return next
  }

  private func startNext() {
    while let group = next() { start(group, self) }
  }

  /// The first writers whose lists are free, and all that want the same ones. Those that wait for longer go first: a
  /// list that one of them wants is not free for those behind it.
  private func next() -> [Job]? {
    state.withLock { state in
      guard state.running < most else { return nil }
      var taken = state.busy
      guard
        let first = state.waiting.firstIndex(where: { waiting in
          defer { taken.formUnion(waiting.job.lists) }
          return taken.isDisjoint(with: waiting.job.lists)
        })
      else { return nil }
      let lists = state.waiting[first].job.lists
      var group: [Job] = []
      var rest: [(job: Job, since: ContinuousClock.Instant)] = []
      for waiting in state.waiting {
        if waiting.job.lists == lists, group.count < Self.mostTogether {
          group.append(waiting.job)
        } else {
          rest.append(waiting)
        }
      }
      state.waiting = rest
      state.busy.formUnion(lists)
      state.running += 1
      return group
    }
  }
}
