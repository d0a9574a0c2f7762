import TableProtocol

/// Where a PostgreSQL database is: `postgresql://host:5432/name?sslmode=verify-full`, as libpq reads it.
///
/// It is given to libpq as it stands, so that everything that libpq knows holds here too: several hosts, a socket's
/// folder, `PGPASSWORD`, `PGPASSFILE` and `~/.pgpass`, a service file.
package struct PostgreSQLAddress: Hashable, Sendable {
  /// Has the password, if the user wrote one in: never to be shown.
  let url: String
  /// The name that PostgreSQL has for the sessions, unless the URL has another that holds.
  private(set) var applicationName = "ebb"
  /// True if ``applicationName`` holds even if the URL has another.
  private var overridesURL = false
  /// True for a session on a server that takes no writes too.
  private var allowsStandby = false

  /// Nil for what is no URL of this kind.
  package init?(_ text: String) {
    guard ["postgresql://", "postgres://"].contains(where: { text.hasPrefix($0) }) else { return nil }
    url = text
  }

  /// The same database, with sessions of this name, whatever the URL says.
  func with(applicationName: String) -> PostgreSQLAddress {
    var address = self
    (address.applicationName, address.overridesURL) = (applicationName, true)
    return address
  }

  /// The same database, with sessions that say in which schema they work, by its number: several databases of Ebb may
  /// be in one of PostgreSQL.
  func inSchema(_ number: String) -> PostgreSQLAddress {
    var address = self
    address.applicationName += " \(number)"
    return address
  }

  /// The same database, also on a server that takes no writes.
  var onAnyServer: PostgreSQLAddress {
    var address = self
    address.allowsStandby = true
    return address
  }

  /// The same without its password and its options, for people and for the log.
  package var shown: String {
    guard let credentials else { return String(url.prefix { $0 != "?" }) }
    let user = credentials.prefix { $0 != ":" }
    return "\(url[..<credentials.startIndex])\(user)\(url[credentials.endIndex...].prefix { $0 != "?" })"
  }

  /// The user and the password before the host, as they stand there; nil if there are none. libpq lets them end at the
  /// first `@`; if a password was not percent-encoded, it goes on to a later one.
  private var credentials: Substring? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let rest = url[scheme.upperBound...]
    let first = rest.firstIndex(of: "@").flatMap { rest[..<$0].contains("/") ? nil : $0 }
    let end = rest[(first ?? rest.startIndex)...].prefix { $0 != "?" }.lastIndex(of: "@")
    return end.map { rest[..<$0] }
  }

  private var passwordBeforeHost: Substring? {
    credentials.flatMap { user in user.firstIndex(of: ":").map { user[user.index(after: $0)...] } }
  }

  /// The passwords, wherever in the URL they stand: as they are written, and as they are.
  private var passwords: [String] {
    let options = url[(credentials?.endIndex ?? url.startIndex)...].drop { $0 != "?" }.dropFirst()
    var found = [passwordBeforeHost].compactMap(\.self)
    for option in options.split(separator: "&") {
      let parts = option.split(separator: "=", maxSplits: 1)
      if parts.count == 2, PercentEncoding.decode(parts[0]).hasSuffix("password") { found.append(parts[1]) }
    }
    return found.flatMap { [String($0), PercentEncoding.decode($0)] }.filter { !$0.isEmpty }
  }

  /// A message of libpq as one line that may be shown.
  func withoutPassword(_ words: String) -> String {
    // libpq takes a part of such a password for the host or the port, and names it.
    if let password = passwordBeforeHost, password.contains(where: { $0 == "/" || $0 == "@" }) {
      return "the password in the URL must be percent-encoded: / is %2F, @ is %40"
    }
    let line = words.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }.joined(separator: "; ")
    return passwords.reduce(line) { $0.replacing($1, with: "***") }
  }

  /// Options for libpq. Those before the URL may be changed by it, those after it may not.
  var options: [(name: String?, value: String?)] {
    [
      ("connect_timeout", "10"), ("tcp_user_timeout", "15000"), ("keepalives_idle", "30"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"), ("application_name", applicationName),
      // Of several hosts the one that is no standby; of one, none that is.
      ("target_session_attrs", "read-write"), ("dbname", url), ("client_encoding", "UTF8"),
    ] + (overridesURL ? [("application_name", applicationName)] : [])
      + (allowsStandby ? [("target_session_attrs", "any")] : [])
  }
}
