import Crypto
import FoundationEssentials
import HTTPTypes
import TableProtocol

/// A page for people with a browser: one document with its style and its script inside, made of `Resources/browser`.
///
/// It holds nothing of any user, so that everybody may have it. Its words are in all languages; which of them are shown
/// is chosen in the browser.
struct BrowserPage: Sendable {
  /// At `/`: tables and rows to look at (wire 14.1). It asks for rows as every client does.
  private static let rows = BrowserPage(
    .rowsPage, scripts: [.words, .language, .texts, .requests, .filter, .rows])
  /// At the address of an invitation: the command to run with it (wire 13). The secret stays in the browser.
  private static let invitation = BrowserPage(.invitationPage, scripts: [.words, .language, .invitation])

  private let body: [UInt8]
  private let tag: String
  private let headers: HTTPFields

  /// The scripts share one scope, in which later ones see what earlier ones name.
  private init(_ html: EmbeddedFile, scripts: [EmbeddedFile]) {
    let style = EmbeddedFile.style.text
    let script = "'use strict';\n{\n\(scripts.map(\.text).joined(separator: "\n"))}\n"
    let page = html.text
      .replacing("{style}", with: style, maxReplacements: 1).replacing("{script}", with: script, maxReplacements: 1)
    body = Array(page.utf8)
    tag = page.entityTag
    var headers: HTTPFields = [
      .contentType: "text/html; charset=utf-8",
      // Asked for again each time, and sent again only if it is another.
      .cacheControl: "no-cache",
      .vary: "Accept",
      .contentSecurityPolicy: Self.policy(style: style, script: script),
      .xContentTypeOptions: "nosniff",
      .crossOriginResourcePolicy: "same-origin",
    ]
    headers[.referrerPolicy] = "no-referrer"
    headers[.openerPolicy] = "same-origin"
    self.headers = headers
  }

  /// Nothing runs but the page's own script, nothing is loaded, and the server it comes from is the only one it asks.
  /// `data:` is for its icon.
  private static func policy(style: String, script: String) -> String {
    [
      "default-src 'none'", "script-src 'sha256-\(script.hash)'", "style-src 'sha256-\(style.hash)'", "img-src data:",
      "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
      "require-trusted-types-for 'script'", "trusted-types 'none'",
    ].joined(separator: "; ")
  }

  /// The page that a browser opens; nil if another is asked for, or by another program.
  init?(of request: TableRequest) {
    // The path first: nearly all requests are for rows.
    guard request.path == "/" || request.path == InvitationLink.path[...],
      request.method == .get || request.method == .head,
      request.headers[.accept]?.lowercased().contains("text/html") == true
    else { return nil }
    self = request.path == "/" ? Self.rows : Self.invitation
  }

  func answer(to request: TableRequest) -> TableResponse {
    var response = TableResponse(.ok, headers: headers, body: body)
    response.eTag = tag
    return response.unlessKnown(to: request)
  }
}

extension String {
  /// The SHA-256 in Base64.
  fileprivate var hash: String { Data(SHA256.hash(data: Array(utf8))).base64EncodedString() }

  /// The tag of an answer that says this.
  var entityTag: String { "\"\(hash)\"" }
}

extension TableResponse {
  /// The answer without its body, if the client says that it has it.
  func unlessKnown(to request: TableRequest) -> TableResponse {
    guard let eTag, let known = request.headers[.ifNoneMatch] else { return self }
    let tags = known.split(separator: ",").map { $0.drop { $0 == " " } }
    guard tags.contains(where: { $0 == "*" || $0 == eTag || $0 == "W/\(eTag)" }) else { return self }
    var response = self
    (response.status, response.body) = (.notModified, [])
    return response
  }
}
