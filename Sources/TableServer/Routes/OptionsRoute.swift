import HTTPTypes
import TableProtocol

/// OPTIONS: which verbs a URL takes, and that batches are taken (table-protocol 18.4). It needs no
/// version of the protocol.
enum OptionsRoute {
  static func respond(to request: TableRequest) throws(RequestError) -> TableResponse {
    let allowed: String
    if BatchRoute.root(of: request.path) != nil {
      allowed = "POST, OPTIONS"
    } else {
      switch try TableTarget(path: request.path) {
      case .collection: allowed = "GET, POST, OPTIONS"
      case .item: allowed = "GET, PATCH, PUT, DELETE, POST, OPTIONS"
      }
    }
    var response = TableResponse(.ok, headers: [.batch: BatchSupport.own.text])
    response.allow = allowed
    return response
  }
}
