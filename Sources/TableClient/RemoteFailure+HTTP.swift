import AsyncHTTPClient
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import OfflineSync

extension RemoteFailure {
  /// Says of a request that got no answer why, and whether the server may have acted on it.
  init(_ error: any Error, method: HTTPMethod) {
    let neverLeft = Self.wordsBeforeSending(error)
    self.init(
      .unreachable(neverLeft ?? Self.wordsAfterSending(error)), mayHaveActed: neverLeft == nil && method != .GET)
  }

  /// The reason when no connection was made; nil when one was.
  private static func wordsBeforeSending(_ error: any Error) -> String? {
    switch error {
    case let error as NIOConnectionError:
      if let refusal = error.connectionErrors.first?.error as? IOError { return words(errno: refusal.errnoCode) }
      return error.connectionErrors.isEmpty ? "name not found" : "no connection"
    case let error as IOError where error.errnoCode == ECONNREFUSED:
      return words(errno: error.errnoCode)
    case is SocketAddressError:
      return "name not found"
    case let error as HTTPClientError:
      switch error {
      case .connectTimeout, .getConnectionFromPoolTimeout: return "no answer in time"
      case .tlsHandshakeTimeout: return "secure connection failed"
      default: return nil
      }
    default:
      return String(reflecting: type(of: error)).hasPrefix("NIOSSL") ? "secure connection failed" : nil
    }
  }

  private static func wordsAfterSending(_ error: any Error) -> String {
    switch error {
    case let error as HTTPClientError where error == .remoteConnectionClosed: "connection cut"
    case let error as HTTPClientError where error == .readTimeout || error == .deadlineExceeded: "no answer in time"
    case let error as IOError: words(errno: error.errnoCode)
    case is ResponseAccumulator.ResponseTooBigError: "the answer is too big"
    default: "connection failed"
    }
  }

  private static func words(errno code: CInt) -> String {
    switch code {
    case ECONNREFUSED: "connection refused"
    case ECONNRESET, EPIPE: "connection cut"
    case ENETUNREACH, EHOSTUNREACH, ENETDOWN: "no route"
    case ETIMEDOUT: "no answer in time"
    default: String(cString: strerror(code)).lowercased()
    }
  }
}
