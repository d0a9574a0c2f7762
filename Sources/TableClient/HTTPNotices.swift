import AsyncHTTPClient
import Dispatch
import NIOCore
import NIOHTTP1
import OfflineSync
import Synchronization
import TableProtocol

/// A connection for notices over HTTP, with a thread of its own: a request that waits for hours holds up no other.
///
/// It believes nothing. All that comes is a reason to pull, or a sign of life. It takes no more than a part of the
/// stream in a tenth of a second, and says one thing of each: a server that never stops talking costs the device next
/// to nothing.
final class HTTPNotices: NoticeConnection, HTTPClientResponseDelegate {
  typealias Response = Void

  /// From one part of the stream to the next, if they follow closely.
  private static let pause = TimeAmount.milliseconds(100)

  fileprivate struct State {
    var parser = EventStreamParser()
    var retry: Int?
    /// The server said how far the list is. Before that nothing it sends is a sign that it says what is new.
    var hasLevel = false
    var lastPart: NIODeadline?
    /// Why it ends if it ends now; nil before the head of the answer.
    var end: NoticeEnd?
    var isOver = false
    var isLogged = false
    var task: HTTPClient.Task<Void>?
  }

  private let receive: @Sendable (NoticeEvent) -> Void
  private let connections: HTTPConnections
  private let exchange: HTTPExchange
  private let log: RequestLog
  private let startedAt: RequestLog.Moment
  private let state = Mutex(State())
  private let over = DispatchSemaphore(value: 0)

  /// Opens the connection. `receive` is called on its thread, or before this returns if the address can't be read.
  init(
    _ exchange: HTTPExchange, origin: String, _ settings: ClientSettings, log: RequestLog,
    receive: @escaping @Sendable (NoticeEvent) -> Void
  ) {
    self.receive = receive
    self.exchange = exchange
    self.log = log
    startedAt = log.clock()
    // Silence is judged by who listens: see `NoticeLine`.
    connections = HTTPConnections(settings.limits, caFile: settings.caFile, endsSilence: false)
    do {
      let request = try HTTPClient.Request(
        url: origin + exchange.path, method: exchange.method, headers: exchange.headers)
      let task = connections.client.execute(request: request, delegate: self)
      // A task that has failed already would be kept for ever: it holds this object.
      state.withLock { state in if !state.isOver { state.task = task } }
    } catch {
      fail(error)
    }
  }

  func close() {
    let task = state.withLock { state -> HTTPClient.Task<Void>? in
      let isOpen = !state.isOver
      state.isOver = true
      return isOpen ? state.task : nil
    }
    task?.cancel()
  }

  func waitUntilClosed(milliseconds: Int) -> Bool {
    guard over.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return false }
    // For the next call.
    over.signal()
    return true
  }

  // MARK: Reports of the client, on its thread

  func didSendRequest(task: HTTPClient.Task<Void>) { report(.asked) }

  func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
    note(.status(Int(head.status.code)))
    let database = exchange.headers.first(name: ZumoHeader.database)
    if let end = NoticeEnd(ServerAnswer(head, now: log.now()), database: database) {
      state.withLock { $0.end = end }
      // The rest is of no use here.
      task.cancel()
    } else {
      state.withLock { $0.end = .finished(retry: nil) }
    }
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
    let now = NIODeadline.now()
    let (event, isClose) = state.withLock { state in
      defer { state.lastPart = now }
      return (state.read(buffer), state.lastPart.map { now - $0 < Self.pause } ?? false)
    }
    if let event { report(event) }
    guard isClose else { return task.eventLoop.makeSucceededVoidFuture() }
    // Until then nothing more is read from the connection.
    return task.eventLoop.scheduleTask(in: Self.pause) {}.futureResult
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) throws {
    finish(
      state.withLock { state in
        switch state.end {
        case nil, .finished: .finished(retry: state.retry)
        case .some(let end): end
        }
      })
  }

  func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) { fail(error) }

  private func fail(_ error: any Error) {
    let failure = RemoteFailure(error, method: exchange.method)
    note(HTTPOutcome.failure(failure).record)
    finish(
      state.withLock { state in
        switch state.end {
        // A stream that was cut did not end.
        case nil, .finished: .failed(failure.reason)
        case .some(let end): end
        }
      })
  }

  /// The log has a line for each connection: how it began, or why it did not.
  private func note(_ outcome: RequestRecord.Outcome) {
    let isFirst = state.withLock { state in
      defer { state.isLogged = true }
      return !state.isLogged && !state.isOver
    }
    if isFirst { log.note(exchange, startedAt: startedAt, outcome) }
  }

  private func report(_ event: NoticeEvent) {
    if state.withLock({ !$0.isOver }) { receive(event) }
  }

  private func finish(_ end: NoticeEnd) {
    let isFirst = state.withLock { state in
      defer { (state.isOver, state.task) = (true, nil) }
      return !state.isOver
    }
    // A program that is stopped next must not keep the socket open.
    connections.close { [over] in over.signal() }
    if isFirst { receive(.ended(end)) }
  }
}

extension HTTPNotices.State {
  /// Reads a part of the stream: its last level, since an older one is no news; else a sign of life.
  fileprivate mutating func read(_ buffer: ByteBuffer) -> NoticeEvent? {
    let outputs = parser.read(buffer.readableBytesView)
    var level: ListLevel?
    var isAlive = false
    for output in outputs.reversed() {
      switch output {
      case .event(ListLevel.eventName, let data) where level == nil:
        level = ListLevel(json: data)
        isAlive = true
      case .event, .comment: isAlive = true
      case .retry: break
      }
    }
    for case .retry(let milliseconds) in outputs { retry = milliseconds }
    hasLevel = hasLevel || level != nil
    return level.map(NoticeEvent.level) ?? (isAlive && hasLevel ? .heartbeat : nil)
  }
}

extension NoticeEnd {
  /// The outcome that the head of an answer tells; nil if a stream follows. `database` is the one that the request was
  /// meant for, if it is known: an answer that does not name it says nothing about the server (sync-rules A16).
  init?(_ answer: ServerAnswer, database: String? = nil) {
    let type = answer.headers["content-type"]?.prefix { $0 != ";" }.trimmingSpaces.lowercased()
    if answer.status == 200, type == ListLevel.mediaType {
      guard answer.isCompressed else { return nil }
      self = .failed(.alteredAnswer(.compressed))
      return
    }
    // A token is refused by whoever says 401 in JSON: the server, or a proxy before it (sync-rules Q20).
    let refusesToken = answer.status == 401 && type?.contains("json") == true
    if let database, answer.database == nil, !refusesToken,
      let failure = AnswerOrigin(database: database).failure(answer, to: .GET)
    {
      self = .failed(failure.reason)
      return
    }
    switch answer.status {
    // The page of a network that wants a sign-in, or of a proxy. Servers answer in JSON: theirs comes when the page
    // goes.
    case 200..<300 where type?.contains("html") == true, 401 where type?.contains("html") == true,
      403 where type?.contains("html") == true, 404 where type?.contains("html") == true:
      self = .failed(.notTheServer(answer.kind))
    case 401, 403: self = .notSignedIn
    case 429 where answer.hasTooManyWrongTokens: self = .notSignedIn
    // Without a name it is a server that does not serve this address: see below.
    case 421 where answer.database != nil: self = .otherDatabase
    case 200..<300, 404, 405, 406, 410, 415, 501: self = .notOffered
    // A page in between that wants a sign-in, a server that fails.
    case _:
      let failure = AnswerOrigin(database: nil).failure(answer, to: .GET) ?? RemoteFailure(answer: answer)
      self = .failed(failure.reason)
    }
  }
}
