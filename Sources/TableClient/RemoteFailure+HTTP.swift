import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OfflineSync

extension RemoteFailure {
  /// The failure of a request without an answer: why, and whether the server may have acted.
  init(_ error: any Error, method: HTTPMethod) {
    if let failure = error as? RemoteFailure {
      self = failure
      return
    }
    if let status = error as? ImpossibleStatus {
      self.init(.notTheServer("status \(status.code)"), mayHaveActed: method != .GET)
      return
    }
    let neverLeft = Cause(beforeSending: error)
    let cause = neverLeft ?? Cause(afterSending: error)
    self.init(.unreachable(cause.words, kind: cause.kind), mayHaveActed: neverLeft == nil && method != .GET)
  }
}

/// Why there was no answer.
private struct Cause {
  let words: String
  var kind: RemoteFailure.UnreachableKind?

  private static let noName = Cause(words: "name not found", kind: .noName)
  private static let timedOut = Cause(words: "no answer in time", kind: .timedOut)
  private static let silent = Cause(words: "no answer in time", kind: .silent)
  private static let cut = Cause(words: "connection cut", kind: .cut)
  private static let tls = Cause(words: "secure connection failed", kind: .tls)

  private init(words: String, kind: RemoteFailure.UnreachableKind? = nil) {
    self.words = words
    self.kind = kind
  }

  /// Why no connection was made; nil when one was.
  init?(beforeSending error: any Error) {
    switch error {
    case let error as NIOConnectionError: self = Self.of(connecting: error)
    case let error as IOError where error.errnoCode == ECONNREFUSED: self.init(errno: error.errnoCode)
    case is SocketAddressError: self = Self.noName
    case let error as HTTPClientError where [.connectTimeout, .getConnectionFromPoolTimeout].contains(error):
      self = Self.timedOut
    case let error as HTTPClientError where error == .tlsHandshakeTimeout: self = Self.tls
    case let error as NIOSSLError where error.isBeforeSending: self = Self.tls
    case let error as BoringSSLError where error.isBeforeSending: self = Self.tls
    case let error as NIOSSLExtraError where NIOSSLExtraError.ofHandshakes.contains(error): self = Self.tls
    default: return nil
    }
  }

  private static func of(connecting error: NIOConnectionError) -> Cause {
    guard let first = error.connectionErrors.first?.error else { return noName }
    if let refusal = first as? IOError { return Cause(errno: refusal.errnoCode) }
    if case ChannelError.connectTimeout = first { return timedOut }
    return Cause(words: "no connection")
  }

  init(afterSending error: any Error) {
    switch error {
    case let error as HTTPClientError where error == .remoteConnectionClosed: self = Self.cut
    case let error as HTTPParserError where error == .invalidEOFState: self = Self.cut
    case let error as HTTPClientError where [.readTimeout, .deadlineExceeded].contains(error): self = Self.silent
    case let error as IOError: self.init(errno: error.errnoCode)
    // Of a connection that was established: it is closed then.
    case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: self = Self.cut
    case is ResponseAccumulator.ResponseTooBigError: self.init(words: "the answer is too big")
    default: self.init(words: "connection failed")
    }
  }

  private init(errno code: CInt) {
    switch code {
    case ECONNREFUSED: self.init(words: "connection refused", kind: .refused)
    case ECONNRESET, EPIPE: self = Self.cut
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN: self.init(words: "no route", kind: .noRoute)
    case ETIMEDOUT: self = Self.timedOut
    default: self.init(words: String(cString: strerror(code)).lowercased())
    }
  }
}

extension NIOSSLError {
  /// True if the settings for TLS can't be used, or the handshake failed: nothing was sent.
  fileprivate var isBeforeSending: Bool {
    switch self {
    case .handshakeFailed, .unableToValidateCertificate, .noCertificateToValidate, .cannotMatchULabel,
      .cannotFindPeerIP, .noSuchFilesystemObject, .failedToLoadCertificate, .failedToLoadPrivateKey:
      true
    default: false
    }
  }
}

extension BoringSSLError {
  /// True if the settings for TLS can't be used. Those of the handshake are within a ``NIOSSLError``.
  fileprivate var isBeforeSending: Bool {
    switch self {
    case .invalidSNIName, .failedToSetALPN, .unknownError: true
    default: false
    }
  }
}

extension NIOSSLExtraError {
  fileprivate static let ofHandshakes: [NIOSSLExtraError] = [
    .failedToValidateHostname, .serverHostnameImpossibleToMatch, .cannotUseIPAddressInSNI, .invalidSNIHostname,
    .unknownPrivateKeyFileType,
  ]
}

extension RemoteFailure {
  /// The failure in an answer that is about the server or the user, not about one change.
  init(answer: ServerAnswer) {
    let retryAfter = answer.retryAfter
    switch answer.status {
    // Only of an entry of a batch, where it must not end the push: ``AnswerOrigin`` judges the other redirects.
    case 300..<400: self.init(.badAnswer("it sends us elsewhere (\(answer.status))"), mayHaveActed: false)
    case 401: self.init(.signInNeeded, mayHaveActed: false)
    case 403: self.init(.notAllowed, mayHaveActed: false)
    case 421: self.init(.otherDatabase, mayHaveActed: false)
    // A server of ours that can't say when it goes on waits for a person.
    case 503 where answer.database != nil && retryAfter == nil:
      self.init(.serverError(status: 503, message: answer.message), mayHaveActed: false, concernsAll: true)
    case 429 where answer.hasTooManyWrongTokens: self.init(.signInNeeded, mayHaveActed: false)
    case 429, 503: self.init(.busy(status: answer.status, retryAfter: retryAfter), mayHaveActed: false)
    case 408, 502, 504: self.init(.busy(status: answer.status, retryAfter: retryAfter), mayHaveActed: true)
    // A full disk takes no change, whichever this one is.
    case 507:
      self.init(.serverError(status: 507, message: answer.message), mayHaveActed: true, concernsAll: true)
    default: self.init(.serverError(status: answer.status, message: answer.message), mayHaveActed: answer.status >= 500)
    }
  }
}
