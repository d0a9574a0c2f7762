/// Where a PostgreSQL database is: `postgresql://host:5432/name?sslmode=verify-full`, as libpq reads it.
///
/// It is given to libpq as it stands, so that everything that libpq knows holds here too: several hosts, a socket's
/// folder, `PGPASSWORD`, `PGPASSFILE` and `~/.pgpass`, a service file.
package struct PostgreSQLAddress: Hashable, Sendable {
  /// Has the password, if the user wrote one in: never to be shown.
  let url: String

  /// Nil for what is no URL of this kind.
  package init?(_ text: String) {
    guard ["postgresql://", "postgres://"].contains(where: { text.hasPrefix($0) }) else { return nil }
    url = text
  }

  /// The same without its password and its options, for people and for the log.
  package var shown: String {
    let text = url.prefix { $0 != "?" }
    guard let scheme = text.firstRange(of: "://"), let at = text.lastIndex(of: "@") else { return String(text) }
    let user = text[scheme.upperBound..<at].prefix { $0 != ":" }
    return "\(text[..<scheme.upperBound])\(user)\(text[at...])"
  }

  /// The password, wherever in the URL it stands.
  private var passwords: [String] {
    var found: [Substring] = []
    if let scheme = url.firstRange(of: "://"), let at = url.prefix(while: { $0 != "?" }).lastIndex(of: "@") {
      let user = url[scheme.upperBound..<at]
      if let colon = user.firstIndex(of: ":") { found.append(user[user.index(after: colon)...]) }
    }
    for option in url.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") where option.hasPrefix("password=") {
      found.append(option.dropFirst("password=".count))
    }
    return found.filter { !$0.isEmpty }.map(String.init)
  }

  /// A message of libpq as one line that may be shown.
  func withoutPassword(_ words: String) -> String {
    let line = words.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }.joined(separator: "; ")
    return passwords.reduce(line) { $0.replacing($1, with: "***") }
  }

  /// What libpq is given. What stands before the URL may be changed by it, what stands after it may not.
  var options: [(name: String?, value: String?)] {
    [
      ("connect_timeout", "10"), ("tcp_user_timeout", "15000"), ("keepalives_idle", "30"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"), ("application_name", "ebb"),
      ("dbname", url), ("client_encoding", "UTF8"),
    ]
  }
}
