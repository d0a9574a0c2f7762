import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
package import TableProtocol

/// Why a device does not trust the certificate of a server.
package enum CertificateFlaw: Sendable, Hashable {
  /// The server answers in another protocol than TLS, and so without a certificate.
  case absent
  /// The server accepts the connection, and sends nothing. It may be overloaded, or speak no TLS.
  case silent
  /// The server accepts the connection, and ends it without a byte. It may speak no TLS.
  case cut
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

  /// Returns nil if a secure connection can be made, or no connection at all, or if another reason is in the way.
  /// Blocks, half a minute at most. `now` is the time of this device, UTC.
  package func flaw(at now: Timestamp) -> CertificateFlaw? {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    let answer = FirstAnswer()
    guard (try? connect(group, .fullVerification, reading: answer)) != nil else { return nil }
    guard let own = answer.certificates.first else {
      guard let isTLS = answer.isTLS else { return answer.wasAwaited ? .silent : .cut }
      return isTLS ? nil : .absent
    }
    // Certificates that are sent beside those that prove it may have any term.
    if isTrusted(group, .fullVerification) { return nil }
    if let flaw = own.flaw(at: now) { return flaw }
    if isTrusted(group, .noHostnameVerification) { return .otherName }
    return answer.chain(at: now).compactMap { $0.flaw(at: now) }.first ?? .unknownAuthority
  }

  private func isTrusted(_ group: MultiThreadedEventLoopGroup, _ verification: CertificateVerification) -> Bool {
    (try? connect(group, verification)) == true
  }

  /// Makes a connection and closes it. Returns true if the handshake succeeded. If there is `answer`, it learns what
  /// the server shows, and then the handshake fails. Throws if no connection was made.
  private func connect(
    _ group: MultiThreadedEventLoopGroup, _ verification: CertificateVerification, reading answer: FirstAnswer? = nil
  ) throws -> Bool {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.certificateVerification = verification
    if let caFile { configuration.additionalTrustRoots = [.file(caFile)] }
    let context = try NIOSSLContext(configuration: configuration)
    let name = nameOfServer
    let channel = try ClientBootstrap(group: group).connectTimeout(Self.patience)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let answer { try pipeline.addHandler(FirstBytes(answer)) }
          try pipeline.addHandler(Self.handler(context, name, answer))
        }
      }
      .connect(host: address.host, port: address.port).wait()
    let limit = channel.eventLoop.scheduleTask(in: Self.patience) {
      answer?.noteEndOfPatience()
      channel.close(promise: nil)
    }
    defer {
      limit.cancel()
      channel.close(promise: nil)
    }
    // It leaves only after the handshake, and a server passes over empty lines before a request (RFC 9112, 2.2).
    return (try? channel.writeAndFlush(ByteBuffer(string: "\r\n")).wait()) != nil
  }

  private static func handler(
    _ context: NIOSSLContext, _ name: String?, _ answer: FirstAnswer?
  ) throws -> NIOSSLClientHandler {
    guard let answer else { return try NIOSSLClientHandler(context: context, serverHostname: name) }
    return try NIOSSLClientHandler(
      context: context, serverHostname: name,
      customVerificationCallback: { certificates, verified in
        answer.note(certificates)
        verified.succeed(.failed)
      })
  }

  /// Nil for an address, which is not named in a handshake (RFC 6066, 3) and is compared by itself.
  private var nameOfServer: String? {
    (try? SocketAddress(ipAddress: address.host, port: address.port)) == nil ? address.host : nil
  }
}

/// The first bytes and the certificates that a server sends on a secure connection.
private final class FirstAnswer: Sendable {
  private struct State {
    var firstByte: UInt8?
    var wasAwaited = false
    var certificates: [ShownCertificate] = []
  }

  /// The types of records with an alert and with a part of the handshake (RFC 8446, 5.1).
  private static let typesOfTLS: Set<UInt8> = [0x15, 0x16]

  private let state = Mutex(State())

  /// Those that were sent, that of the server itself first.
  var certificates: [ShownCertificate] { state.withLock(\.certificates) }

  /// The certificate of the server, and after each that of its issuer, as far as they were sent. If an issuer has
  /// several, the one that is valid at the moment is taken.
  func chain(at moment: Timestamp) -> [ShownCertificate] {
    var others = certificates
    guard !others.isEmpty else { return [] }
    var chain = [others.removeFirst()]
    while let issuer = chain.last?.names?.issuer {
      let places = others.indices.filter { others[$0].names?.subject == issuer }
      guard let place = places.first(where: { others[$0].flaw(at: moment) == nil }) ?? places.first else { break }
      chain.append(others.remove(at: place))
    }
    return chain
  }

  /// Nil if nothing was sent.
  var isTLS: Bool? { state.withLock(\.firstByte).map { Self.typesOfTLS.contains($0) } }

  /// True if the time for an answer passed before the connection ended.
  var wasAwaited: Bool { state.withLock(\.wasAwaited) }

  func noteEndOfPatience() { state.withLock { $0.wasAwaited = true } }

  func note(_ bytes: ByteBuffer) {
    guard let byte = bytes.readableBytesView.first else { return }
    state.withLock { $0.firstByte = $0.firstByte ?? byte }
  }

  func note(_ certificates: [NIOSSLCertificate]) {
    let certificates = certificates.map(ShownCertificate.init)
    state.withLock { $0.certificates = certificates }
  }
}

/// Shows the bytes of a connection to a ``FirstAnswer``, before they are deciphered.
private final class FirstBytes: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let answer: FirstAnswer

  init(_ answer: FirstAnswer) { self.answer = answer }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    answer.note(Self.unwrapInboundIn(data))
    context.fireChannelRead(data)
  }
}

/// From when until when a certificate is valid, and the names in it.
private struct ShownCertificate: Sendable {
  private let from: Timestamp
  private let until: Timestamp
  /// Nil if they can't be read.
  let names: CertificateNames?

  init(_ certificate: NIOSSLCertificate) {
    names = (try? certificate.toDERBytes()).flatMap { CertificateNames(der: $0) }
    from = Timestamp(milliseconds: Int64(certificate.notValidBefore) * 1_000)
    until = Timestamp(milliseconds: Int64(certificate.notValidAfter) * 1_000)
  }

  func flaw(at moment: Timestamp) -> CertificateFlaw? {
    from <= moment && moment <= until ? nil : .outOfTerm(from: from, until: until)
  }
}
