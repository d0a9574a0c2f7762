import NIOCore
import NIOHTTP1

/// Watches over one connection: how long a client may take, and when it is over.
///
/// It stands between the parser of HTTP/1 and Hummingbird, and sees each request and each answer pass.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limits: ServerLimits
  private let connection: ServerConnection
  private let registry: ConnectionRegistry
  /// Of each request that is not answered yet, the oldest first: how its answer ends.
  private var open: [Ending] = []
  private var stage = Stage.waiting
  private var isReadingBody = false
  /// The body did not come with the head.
  private var isBodyLate = false
  /// The client sends no body before it is asked for it.
  private var awaitsContinue = false
  /// The last request could not be read since its verb is none of HTTP.
  private var hasUnknownVerb = false
  private var unsentParts = 0
  /// When the client has taken too long; nil while it is the server's turn.
  private var deadline: NIODeadline?
  private var alarm: (task: Scheduled<Void>, moment: NIODeadline)?

  private enum Stage {
    case waiting
    /// The last request is there: what comes after it is dropped.
    case last
    /// All is answered and nothing more is sent; the client may finish what it is saying.
    case lingering
  }

  private struct Ending {
    /// True if no request can follow on this connection.
    var isLast: Bool
    /// A client of HTTP/1.0 that wants to go on has to be told that it may.
    let saysKeepAlive: Bool
    /// A client of HTTP/1.0 can't read an answer in chunks.
    let takesChunks: Bool
    /// The request is HEAD: nothing follows the head of its answer, not even the chunk that ends a body.
    let isHeadAlone: Bool
  }

  init(_ connection: ServerConnection, limits: ServerLimits, registry: ConnectionRegistry) {
    self.connection = connection
    self.limits = limits
    self.registry = registry
  }

  func handlerAdded(context: ChannelHandlerContext) { expect(within: limits.head, context) }

  func handlerRemoved(context: ChannelHandlerContext) { alarm?.task.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    stage = .lingering
    connection.leave()
    alarm?.task.cancel()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed {
      connection.leave()
      if stage == .lingering { return context.close(promise: nil) }
    }
    // The server stops.
    if event is ChannelShouldQuiesceEvent, stage == .lingering { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    if stage == .lingering {
      if case .end = part, isReadingBody { stopSending(context) }
      return
    }
    switch part {
    case .head(let head):
      guard stage == .waiting else { return }
      guard head.namesOneHost, head.hasKnownCoding else {
        return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
      }
      let isLast = !head.isKeepAlive || head.leavesHTTP
      let isOld = head.version != .http1_1
      open.append(
        Ending(
          isLast: isLast, saysKeepAlive: !isLast && isOld, takesChunks: !isOld, isHeadAlone: head.method == .HEAD))
      isReadingBody = true
      awaitsContinue = head.expectsContinue
      registry.note(connection, awaits: .nothing, now: .now())
      expect(within: limits.body, context)
      if isLast { stage = .last }
      if let named = head.namedByTarget { return context.fireChannelRead(wrapInboundOut(.head(named))) }
    case .body:
      guard isReadingBody else { return }
      awaitsContinue = false
    case .end:
      guard isReadingBody else { return }
      if isBodyLate { registry.note(connection, awaits: .nothing, now: .now()) }
      isBodyLate = false
      isReadingBody = false
      awaitsContinue = false
      wait(context)
    }
    context.fireChannelRead(data)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    hasUnknownVerb = error as? HTTPParserError == .invalidMethod
    context.fireErrorCaught(error)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    if isReadingBody, !isBodyLate, stage != .lingering {
      isBodyLate = true
      registry.note(connection, awaits: .body, now: .now())
    }
    // The handlers above do not ask for more of the bytes that are dropped here.
    if stage == .lingering { context.read() }
  }

  /// Answers `Expect: 100-continue` when the body is wanted. Nothing is said to a client that sends it already.
  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard event is BodyWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
    guard awaitsContinue, stage != .lingering else {
      promise?.succeed()
      return
    }
    awaitsContinue = false
    let head = HTTPResponseHead(version: .http1_1, status: .continue)
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: promise)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard stage != .lingering else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    let sent = promise ?? context.eventLoop.makePromise()
    let (part, isLast) = ended(unwrapOutboundIn(data))
    unsentParts += 1
    if !isReadingBody { expect(within: limits.sending, context) }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    sent.futureResult.whenComplete { _ in
      let (guardian, context) = bound.value
      guardian.partWasSent(isLast: isLast, context)
    }
    context.write(wrapOutboundOut(part), promise: sent)
  }

  /// The part as it goes out, and whether it is the last on this connection.
  private func ended(_ part: HTTPServerResponsePart) -> (HTTPServerResponsePart, isLast: Bool) {
    switch part {
    case .head(var head) where open.isEmpty && hasUnknownVerb:
      // Hummingbird says 400 to all that can't be read. An unknown verb is 405 (wire 9), with those of our URLs.
      head.status = .methodNotAllowed
      head.headers.replaceOrAdd(name: "Allow", value: "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
      return (.head(head), false)
    case .head(var head) where head.status.code >= 200 && !open.isEmpty:
      if head.headers["connection"].contains(where: { $0.lowercased() == "close" }) { open[0].isLast = true }
      if open[0].isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      if open[0].saysKeepAlive, !open[0].isLast { head.headers.replaceOrAdd(name: "Connection", value: "keep-alive") }
      // An answer without a length goes in chunks by the version that is written here.
      if !open[0].takesChunks, !head.headers.contains(name: "content-length") { head.version = .http1_0 }
      return (.head(head), false)
    case .head, .body:
      return (part, false)
    case .end:
      // A request that could not even be read is answered too, and nothing follows it.
      guard !open.isEmpty else { return (part, true) }
      let ending = open.removeFirst()
      // Nothing is written for an empty part. For an end the encoder writes the last chunk, if the head has no length.
      return (ending.isHeadAlone ? .body(.byteBuffer(ByteBuffer())) : part, ending.isLast)
    }
  }

  private func partWasSent(isLast: Bool, _ context: ChannelHandlerContext) {
    unsentParts -= 1
    if isLast { return linger(context) }
    if !isReadingBody { wait(context) }
  }

  /// Sets the deadline of what comes next, when a request or a part of an answer is through.
  private func wait(_ context: ChannelHandlerContext) {
    guard stage != .lingering else { return }
    if unsentParts > 0 {
      expect(within: limits.sending, context)
    } else if open.isEmpty {
      registry.note(connection, awaits: .request, now: .now())
      expect(within: limits.idle, context)
    } else {
      deadline = nil
    }
  }

  /// Drops what still comes of the last request, then says that nothing more is sent: a client that is cut off while it
  /// sends would lose the answer.
  private func linger(_ context: ChannelHandlerContext) {
    guard stage != .lingering else { return }
    stage = .lingering
    connection.leave()
    expect(within: limits.lingering, context)
    if !isReadingBody { stopSending(context) }
    context.read()
  }

  private func stopSending(_ context: ChannelHandlerContext) {
    isReadingBody = false
    context.close(mode: .output, promise: nil)
  }

  private func expect(within time: TimeAmount, _ context: ChannelHandlerContext) {
    let moment = NIODeadline.now() + time
    deadline = moment
    if let alarm, alarm.moment <= moment { return }
    setAlarm(at: moment, context)
  }

  /// There is one alarm. When it rings too early, as it does when requests follow one another, it is set again.
  private func setAlarm(at moment: NIODeadline, _ context: ChannelHandlerContext) {
    alarm?.task.cancel()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let task = context.eventLoop.scheduleTask(deadline: moment) {
      let (guardian, context) = bound.value
      guardian.alarm = nil
      guard let deadline = guardian.deadline else { return }
      if deadline <= .now() {
        context.close(promise: nil)
      } else {
        guardian.setAlarm(at: deadline, context)
      }
    }
    alarm = (task, moment)
  }
}

/// Told to a connection when the body of its request is about to be read.
struct BodyWanted: Sendable {}

extension HTTPRequestHead {
  /// Clients of HTTP/1.0 do not know the answer (RFC 9110, 10.1.1).
  fileprivate var expectsContinue: Bool {
    version == .http1_1 && headers["expect"].contains { $0.lowercased() == "100-continue" }
  }

  /// HTTP/1.1 asks for exactly one host (RFC 9112, 3.2).
  fileprivate var namesOneHost: Bool {
    let count = headers["host"].count
    return count == 1 || count == 0 && version != .http1_1
  }

  /// The request with the host of its target in `Host`, if the target is a whole URL: then that host counts, whatever
  /// else was said (RFC 9112, 3.2.2). Nil for any other target.
  fileprivate var namedByTarget: HTTPRequestHead? {
    guard method != .CONNECT, uri.utf8.first != UInt8(ascii: "/"), let mark = uri.firstRange(of: "://") else {
      return nil
    }
    var named = self
    named.headers.replaceOrAdd(name: "Host", value: String(uri[mark.upperBound...].prefix { !"/?#".contains($0) }))
    return named
  }

  /// Chunks are the only coding of a body that is read here. A body that is packed as well would be taken for what it
  /// is not, and a proxy before this server might see its end elsewhere (RFC 9112, 6.1 and 7).
  fileprivate var hasKnownCoding: Bool {
    let codings = headers["transfer-encoding"]
    return codings.isEmpty || version == .http1_1 && codings.count == 1 && codings[0].lowercased() == "chunked"
  }

  /// After these the parser understands nothing more: the client expects another protocol, and gets an answer in this
  /// one.
  fileprivate var leavesHTTP: Bool { method == .CONNECT || headers.contains(name: "upgrade") }
}
