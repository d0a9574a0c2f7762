import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
package import TableProtocol

/// Why a device does not trust the certificate of a server.
package enum CertificateFlaw: Sendable, Hashable {
  /// No certificate came: the server does not speak TLS, or in no version that is safe.
  case absent
  /// The clock of this device is before the term of the certificate, or after it.
  case outOfTerm(from: Timestamp, until: Timestamp)
  /// It is valid for other names than the one in the address.
  case otherName
  /// No authority that this device trusts has signed it.
  case unknownAuthority
}

/// Finds out why no secure connection to a server is made. The error of a handshake does not say it.
///
/// It makes connections of its own, on which no request and no token is sent.
package struct CertificateCheck: Sendable {
  /// For one connection, and again for its handshake.
  private static let patience = TimeAmount.seconds(5)

  private let address: ServerAddress
  private let caFile: String?

  /// `caFile` has the authorities that are trusted beside those of the system.
  package init(_ address: ServerAddress, caFile: String?) {
    self.address = address
    self.caFile = caFile
  }

  /// Returns nil if a secure connection can be made, or no connection at all. Blocks, half a minute at most. `now` is
  /// the time of this device, UTC.
  package func flaw(at now: Timestamp) -> CertificateFlaw? {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    let shown = Mutex<[Term]>([])
    let read = try? connect(group, .fullVerification) { terms in shown.withLock { $0 = terms } }
    guard read != nil else { return nil }
    let terms = shown.withLock { $0 }
    guard !terms.isEmpty else { return .absent }
    if let term = terms.first(where: { !$0.contains(now) }) {
      return .outOfTerm(from: term.from, until: term.until)
    }
    if isTrusted(group, .fullVerification) { return nil }
    return isTrusted(group, .noHostnameVerification) ? .otherName : .unknownAuthority
  }

  private func isTrusted(_ group: MultiThreadedEventLoopGroup, _ verification: CertificateVerification) -> Bool {
    (try? connect(group, verification)) == true
  }

  /// Makes a connection and closes it. Returns true if the handshake succeeded. If there is `read`, it is given the
  /// terms of the certificates that were shown, and then the handshake fails. Throws if no connection was made.
  private func connect(
    _ group: MultiThreadedEventLoopGroup, _ verification: CertificateVerification,
    _ read: (@Sendable ([Term]) -> Void)? = nil
  ) throws -> Bool {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = verification
    if let caFile { configuration.additionalTrustRoots = [.file(caFile)] }
    let context = try NIOSSLContext(configuration: configuration)
    let name = nameOfServer
    let channel = try ClientBootstrap(group: group).connectTimeout(Self.patience)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Self.handler(context, name, read))
        }
      }
      .connect(host: address.host, port: address.port).wait()
    let limit = channel.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    defer {
      limit.cancel()
      channel.close(promise: nil)
    }
    // It leaves only after the handshake, and a server passes over empty lines before a request (RFC 9112, 2.2).
    return (try? channel.writeAndFlush(ByteBuffer(string: "\r\n")).wait()) != nil
  }

  private static func handler(
    _ context: NIOSSLContext, _ name: String?, _ read: (@Sendable ([Term]) -> Void)?
  ) throws -> NIOSSLClientHandler {
    guard let read else { return try NIOSSLClientHandler(context: context, serverHostname: name) }
    return try NIOSSLClientHandler(
      context: context, serverHostname: name,
      customVerificationCallback: { certificates, verified in
        read(certificates.map(Term.init))
        verified.succeed(.failed)
      })
  }

  /// Nil for an address, which is not named in a handshake (RFC 6066, 3) and is compared by itself.
  private var nameOfServer: String? {
    (try? SocketAddress(ipAddress: address.host, port: address.port)) == nil ? address.host : nil
  }
}

/// From when until when a certificate is valid.
private struct Term: Sendable {
  let from: Timestamp
  let until: Timestamp

  init(_ certificate: NIOSSLCertificate) {
    from = Timestamp(milliseconds: Int64(certificate.notValidBefore) * 1_000)
    until = Timestamp(milliseconds: Int64(certificate.notValidAfter) * 1_000)
  }

  func contains(_ moment: Timestamp) -> Bool { from <= moment && moment <= until }
}
