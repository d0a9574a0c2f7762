import HTTPTypes
import TableProtocol

/// Makes the link to the page after this one, in the form this client can read (table-protocol 6.4).
struct NextPageLink: Sendable {
  private let query: QueryItems
  private let path: String
  private let authority: String?
  private let wantsPath: Bool
  private let wantsURL: Bool

  init(_ request: TableRequest, _ query: QueryItems) {
    self.query = query
    path = String(request.path)
    authority = request.authority
    wantsPath = request.headers[.zumoOptions]?.contains("nextLink=path") == true
    wantsURL = request.headers[.zumoClientVersion] != nil
  }

  /// The same query, from `place` on, for the rest of `$top`.
  func query(after place: Continuation, remaining: Int?) -> String {
    var next = query
    next.set("$skip", nil)
    next.set("$skiptoken", place.token)
    if let remaining { next.set("$top", String(remaining)) }
    return next.text
  }

  func absoluteURL(_ query: String) -> String {
    "\(authority.map { "http://\($0)" } ?? "")\(path)?\(query)"
  }

  /// One client takes the value verbatim as its query, an old one needs a whole URL.
  func nextLink(_ query: String) -> String {
    if wantsPath { return "\(path)?\(query)" }
    return wantsURL ? absoluteURL(query) : query
  }
}
