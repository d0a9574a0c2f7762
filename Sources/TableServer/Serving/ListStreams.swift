import Synchronization
import TableProtocol
import TableStorage

/// The streams there are, and who writes to them: one task that hears of writes, one that beats for all of them.
/// Neither runs while there is no stream.
final class ListStreams: Sendable {
  private let storage: any TableStorage
  private let limits: ServerLimits
  private let log: ServerLog
  private let state = Mutex(State())

  private struct State {
    var lists: [ListID: Listeners] = [:]
    var count = 0
    var bySender = CountByKey<RequestAllowance.Sender>()
    var isClosed = false
    var listening: Task<Void, Never>?
    var beating: Task<Void, Never>?

    var all: [ListStream] { lists.values.flatMap(\.streams.values) }
    func streams(of list: ListID) -> [ListStream] { lists[list].map { Array($0.streams.values) } ?? [] }
  }

  /// Those who wait for one list.
  private struct Listeners {
    var streams: [ObjectIdentifier: ListStream] = [:]
    /// Its level is being read, or was a moment ago.
    var isBusy = false
    /// It was written to since.
    var isDue = false
  }

  init(_ storage: any TableStorage, _ limits: ServerLimits, log: ServerLog) {
    self.storage = storage
    self.limits = limits
    self.log = log
  }

  var count: Int { state.withLock(\.count) }

  /// A stream that has the level of the list, to be sent at once. `sender` has at most so many; nil has no limit of its
  /// own. Throws `RequestError` and what a storage throws.
  func open(_ list: ListID, for sender: RequestAllowance.Sender?) async throws -> OpenStream {
    let stream = ListStream(of: list, for: sender, endsAt: .now + limits.streamLife * Double.random(in: 0.9...1.1))
    let open = try OpenStream(stream, self)
    // From here on no write is missed; the level is that of a later moment.
    stream.post(try await level(of: list))
    return open
  }

  /// A stream that is counted until nobody holds this any more, also if not a byte of it was sent.
  final class OpenStream: Sendable {
    let stream: ListStream
    private let streams: ListStreams

    fileprivate init(_ stream: ListStream, _ streams: ListStreams) throws(RequestError) {
      self.stream = stream
      self.streams = streams
      try streams.add(stream)
    }

    deinit { streams.remove(stream) }
  }

  private func add(_ stream: ListStream) throws(RequestError) {
    let error = state.withLock { state -> RequestError? in
      if state.isClosed { return .notReady }
      guard state.count < limits.streams else { return .tooManyStreams }
      guard state.bySender[stream.sender] < limits.streamsOfASender else { return .tooManyStreamsOfASender }
      state.bySender.add(to: stream.sender)
      state.lists[stream.list, default: Listeners()].streams[ObjectIdentifier(stream)] = stream
      state.count += 1
      if state.count == 1 { start(&state) }
      return nil
    }
    if let error { throw error }
  }

  private func remove(_ stream: ListStream) {
    state.withLock { state in
      guard state.lists[stream.list]?.streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
      state.count -= 1
      state.bySender.remove(from: stream.sender)
      if state.lists[stream.list]?.streams.isEmpty == true { state.lists[stream.list] = nil }
      guard state.count == 0 else { return }
      state.listening?.cancel()
      state.beating?.cancel()
    }
  }

  /// Ends all of them, and opens no more.
  func close() {
    let streams = state.withLock { state in
      state.isClosed = true
      return state.all
    }
    for stream in streams { stream.end() }
  }

  /// True if there is a stream of a list of those who need not sign in.
  var hasStrangers: Bool { state.withLock { $0.lists.keys.contains { $0.owner == nil } } }

  func endStrangers() {
    for stream in state.withLock(\.all) where stream.list.owner == nil { stream.end() }
  }

  /// Throws what the storage throws, and `StorageError.unreachable` if that takes too long to answer.
  private func level(of list: ListID) async throws -> ListLevel {
    try await withTimeLimit(limits.look) { [storage] in
      let state = try await storage.read(list) { try $0.state() }
      return ListLevel(updatedAt: state.lastMoment, database: storage.identity.text, epoch: state.epoch.number)
    }
  }
}

// MARK: Notices

extension ListStreams {
  /// Without the values of the task that opens the first stream: a connection is among them.
  private func start(_ state: inout State) {
    let moves = storage.moves
    state.listening = Task.detached { [weak self] in
      for await notice in moves { self?.note(notice.list) }
    }
    state.beating = Task.detached { [weak self, pause = limits.heartbeat] in
      // Late is as good: timers of the system may share a wake-up.
      while (try? await Task.sleep(for: pause, tolerance: pause / 20)) != nil { await self?.beat() }
    }
  }

  /// A list was written to. The first notice after a pause goes out at once; those that come within the pause are one.
  private func note(_ list: ListID) {
    let begins = state.withLock { state in
      guard let listeners = state.lists[list] else { return false }
      state.lists[list]?.isDue = true
      state.lists[list]?.isBusy = true
      return !listeners.isBusy
    }
    guard begins else { return }
    Task.detached { [weak self, pause = limits.noticePause] in
      while self?.takeTurn(list) == true {
        await self?.look(at: [list])
        try? await Task.sleep(for: pause)
      }
    }
  }

  /// False if nothing was written to the list since the last turn; then the next notice begins again.
  private func takeTurn(_ list: ListID) -> Bool {
    state.withLock { state in
      guard let listeners = state.lists[list] else { return false }
      state.lists[list]?.isDue = false
      state.lists[list]?.isBusy = listeners.isDue
      return listeners.isDue
    }
  }

  /// A sign of life for every stream. The levels are read again: a notice may be lost, another process may have raised
  /// the epoch, and a server that can't read a list must not say that there is nothing new.
  private func beat() async {
    await look(at: state.withLock { Array($0.lists.keys) })
    let now = ContinuousClock.now
    for stream in state.withLock(\.all) {
      if stream.endsAt <= now { stream.end() } else { stream.beat() }
    }
  }

  /// Reads the levels of lists and gives each to all who wait for it. The streams of a list that can't be read twice in
  /// a row end: their clients come back, and are refused until it can be read.
  private func look(at lists: [ListID]) async {
    let unread = await post(lists)
    guard !unread.isEmpty, (try? await Task.sleep(for: limits.secondLook)) != nil else { return }
    let lost = await post(unread)
    let streams = state.withLock { lost.flatMap($0.streams) }
    for stream in streams { stream.end() }
    if !streams.isEmpty { log.error("Streams of notices ended, because the database can't be read: \(streams.count)") }
  }

  /// Returns the lists that can't be read.
  private func post(_ lists: [ListID]) async -> [ListID] {
    var unread: [ListID] = []
    for (index, list) in lists.enumerated() {
      do {
        let level = try await level(of: list)
        for stream in state.withLock({ $0.streams(of: list) }) { stream.post(level) }
      } catch {
        unread.append(list)
        // A failure common to all is not waited for again.
        if (error as? StorageError)?.isAboutOneRequest != true { return unread + lists[(index + 1)...] }
      }
    }
    return unread
  }
}
