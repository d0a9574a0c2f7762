import NIOHTTP1
import TableProtocol

/// The headers of every request.
struct ClientHeaders: Sendable {
  let version: ProtocolVersion
  let signIn: SignIn?
  /// The database that the request is meant for, if it is known.
  var database: String?
  /// The epoch of that database.
  var epoch: DatabaseEpoch?
  /// The newest `updatedAt` that this device has read: a server that never reached it went back.
  var reached: Timestamp?
  /// Columns have this device's names. A server that was given other names for its own is asked not to use them.
  var hasOwnNames = true

  /// The headers that a request for a token has too. Nothing here decompresses an answer (RFC 9110 12.5.3).
  static let common = [("Accept", "application/json"), ("Accept-Encoding", "identity"), ("User-Agent", "ebb")]

  func fields(hasBody: Bool) -> HTTPHeaders {
    var fields = HTTPHeaders([(ZumoHeader.apiVersion, version.rawValue)] + Self.common)
    if hasOwnNames { fields.add(name: ZumoHeader.columns, value: "own") }
    if let signIn {
      fields.add(name: ZumoHeader.authentication, value: signIn.token)
      fields.add(name: "Authorization", value: "Bearer \(signIn.token)")
      if let user = signIn.userName { fields.add(name: ZumoHeader.user, value: user) }
    }
    if let database { fields.add(name: ZumoHeader.database, value: database) }
    if let epoch { fields.add(name: ZumoHeader.epoch, value: epoch.text) }
    if epoch != nil, let reached { fields.add(name: ZumoHeader.newest, value: reached.text) }
    if hasBody {
      fields.add(name: "Content-Type", value: "application/json")
    } else {
      // A cache has to ask the server before it answers (RFC 9111 5.2.1.4).
      fields.add(name: "Cache-Control", value: "no-cache")
    }
    return fields
  }
}
