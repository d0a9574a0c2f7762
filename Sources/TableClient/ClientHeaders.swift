import NIOHTTP1
import TableProtocol

/// The headers of every request.
struct ClientHeaders: Sendable {
  let version: ProtocolVersion
  let token: String?
  /// The database the request is meant for, where that is known.
  var database: String?
  /// The state of it that the request is meant for.
  var epoch: DatabaseEpoch?
  /// How far this device has read from there: a server that never got so far went back.
  var reached: Timestamp?

  func fields(hasBody: Bool) -> HTTPHeaders {
    var fields = HTTPHeaders([
      (ZumoHeader.apiVersion, version.rawValue), ("Accept", "application/json"), ("User-Agent", "ebb"),
    ])
    if let token {
      fields.add(name: ZumoHeader.authentication, value: token)
      fields.add(name: "Authorization", value: "Bearer \(token)")
    }
    if let database { fields.add(name: ZumoHeader.database, value: database) }
    if let epoch { fields.add(name: ZumoHeader.epoch, value: epoch.text) }
    if epoch != nil, let reached { fields.add(name: ZumoHeader.newest, value: reached.text) }
    if hasBody { fields.add(name: "Content-Type", value: "application/json") }
    return fields
  }
}
