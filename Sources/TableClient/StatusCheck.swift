import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// An answer whose status HTTP does not have: below 100, or above 999.
struct ImpossibleStatus: Error, Hashable {
  let code: UInt
}

/// Fails a connection at the first answer with an ``ImpossibleStatus``, before AsyncHTTPClient reads it.
///
/// Its state machine passes over every head below 200, but the decoder drops the end only after those from 100 on. The
/// end of the others would reach a precondition and kill the program.
final class StatusCheck: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  /// True after such an answer: the decoder reads on, and the rest must not be passed on.
  private var hasFailed = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasFailed else { return }
    if case .head(let head) = Self.unwrapInboundIn(data), !(100...999).contains(head.status.code) {
      hasFailed = true
      context.fireErrorCaught(ImpossibleStatus(code: head.status.code))
      context.close(promise: nil)
    } else {
      context.fireChannelRead(data)
    }
  }
}

extension HTTPClient.Configuration {
  /// Puts a ``StatusCheck`` in each connection, with TLS or without.
  ///
  /// HTTP/2 is not spoken: its decoder traps on a negative status, and no hook comes before it.
  mutating func checkStatuses() {
    httpVersion = .http1Only
    // The library calls this once its own handlers are there, before the first request.
    http1_1ConnectionDebugInitializer = { channel in
      channel.eventLoop.makeCompletedFuture {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(StatusCheck(), position: .after(decoder))
      }
    }
  }
}
