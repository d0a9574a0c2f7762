import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOSSL
import Synchronization

/// HTTP/1 on one connection: the handlers that it passes through, and who answers.
struct ServerChannel: HTTPChannelHandler {
  /// A connection with its requests.
  final class Value: ServerChildChannelValue {
    let connection: ServerConnection
    private let requests: Requests
    private let isHandled = Mutex(false)

    typealias Requests = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    var channel: any Channel { requests.channel }

    init(_ connection: ServerConnection, _ requests: Requests) {
      self.connection = connection
      self.requests = requests
    }

    /// The requests, which the caller reads and closes.
    func take() -> Requests {
      isHandled.withLock { $0 = true }
      return requests
    }

    /// Closes a connection that came in when the server ended, and that no handler took.
    deinit {
      let requests = requests
      if !isHandled.withLock({ $0 }) { Task { try? await requests.executeThenClose { _, _ in } } }
    }
  }

  /// Bytes of one header, and of all: one old client makes a header longer with each page (wire 15).
  static let longestHeaders = 80 * 1_024

  let responder: HTTPChannelHandler.Responder
  let limits: ServerLimits
  let registry: ConnectionRegistry
  /// Nil if nothing is encrypted.
  let certificate: ServerCertificate?

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    let connection = ServerConnection(channel)
    let isAdmitted = registry.admit(connection)
    return channel.eventLoop.makeCompletedFuture {
      var decoder = NIOHTTPDecoderLimitConfiguration()
      decoder.maxHeaderFieldSize = Self.longestHeaders
      decoder.maxHeaderListSize = Self.longestHeaders
      decoder.maxHeaderFieldCount = 1_000
      let pipeline = channel.pipeline.syncOperations
      if let certificate { try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context)) }
      try pipeline.configureHTTPServerPipeline(
        withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
        withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoder)
      try pipeline.addHandler(ConnectionGuard(connection, limits: limits, registry: registry))
      try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: certificate != nil))
      try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
      let requests = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
      if !isAdmitted { channel.close(promise: nil) }
      return Value(connection, requests)
    }
  }

  func handle(value: Value, logger: Logger) async {
    await withTaskExecutorPreference(value.connection.executor) {
      await ServerConnection.$current.withValue(value.connection) {
        await handleHTTP(asyncChannel: value.take(), logger: logger)
      }
    }
  }
}
