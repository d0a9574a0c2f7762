import NIOHTTP1
package import OfflineSync
package import TableProtocol

/// The secret of an invitation, at the server that gave it out (wire 13).
package struct RemoteInvitation {
  private let address: ServerAddress
  private let secret: String
  private let settings: ClientSettings

  package init(_ address: ServerAddress, secret: String, settings: ClientSettings = ClientSettings()) {
    self.address = address
    self.secret = secret
    self.settings = settings
  }

  /// Tells one invitation from another, and reveals nothing of its secret.
  package static func mark(of secret: String) -> String { secret.shortDigest }

  /// Exchanges it for a token. No other device can use it then; the same `attempt` (see ``JoinRequest/attempt``) gets
  /// the same token again. Asks once more by itself if the answer was lost.
  package func accept(device: String, attempt: String) throws(JoinFailure) -> JoinAnswer {
    do throws(JoinFailure) {
      return try ask(device, attempt)
    } catch {
      guard case .remote(let failure) = error, failure.mayHaveActed else { throw error }
      return try ask(device, attempt)
    }
  }

  private func ask(_ device: String, _ attempt: String) throws(JoinFailure) -> JoinAnswer {
    let transport = HTTPTransport(
      origin: address.origin, settings, log: RequestLog(now: { .epoch }, report: { _ in }))
    let exchange = HTTPExchange(
      method: .POST, path: address.prefix + InvitationLink.path,
      headers: HTTPHeaders([("Content-Type", "application/json")] + ClientHeaders.common),
      body: JoinRequest(secret: secret, device: device.isEmpty ? nil : device, attempt: attempt).json)
    let answer: ServerAnswer
    do throws(RemoteFailure) {
      answer = try transport.answer(to: exchange)
    } catch {
      throw .remote(error)
    }
    let isJSON = answer.headers["content-type"]?.hasPrefix("application/json") == true
    switch answer.status {
    case 200..<300 where answer.isCompressed && !answer.isPage:
      throw .remote(RemoteFailure(.alteredAnswer(.compressed), mayHaveActed: true))
    case 201:
      guard let joined = JoinAnswer(json: answer.body), joined.token.isHeaderWord(atMost: ZumoHeader.longestToken),
        joined.user.isHeaderWord(atMost: ZumoHeader.longestUserName)
      else { throw .notOurs }
      return joined
    // A page of a proxy on the way says nothing about the invitation.
    case 403 where !isJSON, 409 where !isJSON, 410 where !isJSON: throw .notOurs
    case 403: throw .unknownLink
    case 409: throw .usedLink
    case 410: throw .expiredLink
    // It is called by a name that it was not given, and says so.
    case 421 where isJSON:
      throw .remote(RemoteFailure(.serverError(status: 421, message: answer.message), mayHaveActed: false))
    case 200..<500 where answer.status != 408 && answer.status != 429: throw .notOurs
    default: throw .remote(RemoteFailure(answer: answer))
    }
  }

  /// Reads one row with the token. A failure other than a refused sign-in says nothing about the token.
  package func check(token: String, table: String) throws(JoinFailure) {
    do throws(RemoteFailure) {
      let remote = HTTPRemoteTable(address: address, signIn: SignIn(token: token), settings: settings)
      _ = try remote.page(TableQuery(table: table, limit: 1), at: nil, verifying: false)
    } catch {
      switch error.reason {
      case .signInNeeded, .notAllowed: throw .tokenRefused
      case .unreachable, .busy, .notTheServer, .refusedOnTheWay, .noServer, .noSignIn, .serverError, .badAnswer,
        .alteredAnswer, .otherDatabase, .otherEpoch:
        break
      }
    }
  }
}

/// Why a device got no token of a server.
package enum JoinFailure: Error {
  /// The server knows no such invitation, or it was taken back.
  case unknownLink
  case usedLink
  case expiredLink
  /// No server that takes invitations answers there.
  case notOurs
  /// The token that the server gave is not accepted.
  case tokenRefused
  case remote(RemoteFailure)

  /// False if the server itself says that this device has no token by the link. Any other failure says nothing about an
  /// earlier attempt, whose answer may have been lost.
  package var mayHaveJoined: Bool {
    switch self {
    case .unknownLink, .usedLink, .expiredLink: false
    case .notOurs, .tokenRefused, .remote: true
    }
  }
}
