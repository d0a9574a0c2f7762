import ArgumentParser
import FoundationEssentials
import Glibc
import OfflineSync
import TableProtocol
import TableServer
import TableStorage
import Words

/// `ebb token`: who may use the server of a database.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .token, "token", examples: .token, more: .tokenMore,
    subcommands: [TokenAddCommand.self, TokenListCommand.self, TokenRevokeCommand.self])
}

/// `ebb token add`: gives out a token, and prints it alone on its line.
struct TokenAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .tokenAdd, "add", examples: .tokenAdd, more: .tokenAddMore)

  @Option(help: .usage(.tokenUser, valueName: "name"))
  var user: String

  @Option(help: .usage(.tokenLabel, valueName: "text"))
  var label = ""

  @Option(help: .usage(.tokenExpires, valueName: "90d"))
  var expires: String?

  @Option(help: .usage(.tokenScope, valueName: "scope"))
  var scope = AccessScope.sync

  @OptionGroup var database: ServerDatabaseOption

  func validate() throws {
    guard UserName(user) != nil else { throw ValidationError(ErrorMessages.usage(.wrongUser)) }
    if let expires, Self.days(expires) == nil { throw ValidationError(ErrorMessages.usage(.wrongExpires)) }
    guard label.utf8.count <= JoinRequest.longestLabel else { throw ValidationError(ErrorMessages.usage(.wrongLabel)) }
  }

  func run() throws {
    guard let user = UserName(user) else { return }
    let madeDatabase = database.sentenceIfMade
    let (before, added, feed, hasNoOwner) = try database.withTokens(makesDatabase: true) { tokens throws(ServerError) in
      let before = try tokens.count(of: user)
      let added = try tokens.add(user, label: label, scope: scope, days: expires.flatMap(Self.days))
      return (before, added, scope == .feed ? try tokens.feedAddress() : nil, try tokens.hasNoOwner())
    }
    // If nobody has seen the token, nobody may use it.
    StandardOutput.only(added.token.text) { [database] in
      _ = try? database.withTokens { tokens throws(ServerError) in try tokens.revoke(.id(added.grant.id)) }
    }
    // Not where the token goes, which may be a file.
    let words = ErrorMessages.catalogue
    StandardOutput.error(words.text(.tokenGiven, ["id": added.grant.id, "user": user.text]))
    user.report(tokensBefore: before)
    if let madeDatabase { StandardOutput.error(madeDatabase) }
    if let feed { StandardOutput.error(words.text(.tokenFeed, ["url": feed])) }
    if hasNoOwner { StandardOutput.error(words.text(.tokenNoOwner)) }
    if added.itemsTakenOver > 0 {
      StandardOutput.error(words.text(.tokenTookOver, count: added.itemsTakenOver, ["user": user.text]))
    }
  }

  /// The days in `90d`, `12w` or `1y`; nil for anything else, and beyond a hundred years.
  static func days(_ text: String) -> Int? {
    TimeSpan.parse(text, units: ["d": 1, "w": 7, "y": 365], in: 1...36_500).map { Int($0) }
  }
}

extension UserName {
  /// Says whether the user is known to the server: a name that is mistyped, or has other capitals, is a new user.
  /// `tokens` is how many they had; nil for a new one.
  func report(tokensBefore tokens: Int?) {
    let words = ErrorMessages.catalogue
    let sentence = tokens.map { words.text(.tokenBefore, count: $0, ["user": text]) }
    StandardOutput.error(sentence ?? words.text(.tokenNewUser, ["user": text]))
  }
}

extension AccessScope: ExpressibleByArgument {
  /// An invitation is made by another command.
  package init?(argument: String) {
    guard let scope = AccessScope(rawValue: argument), scope != .invite else { return nil }
    self = scope
  }

  package static var allValueStrings: [String] { allCases.filter { $0 != .invite }.map(\.rawValue) }
}

/// `ebb token list`: what was given out and not taken back.
struct TokenListCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.tokenList, "list", examples: .tokenList)

  @Flag(help: .usage(.jsonArray))
  var json = false

  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    let (grants, wereTokensGiven) = try database.withTokens { tokens throws(ServerError) in
      (try tokens.all(), try tokens.wereTokensGiven())
    }
    let table = TokenTable(grants, now: Environment.system.now())
    if grants.isEmpty && !json {
      StandardOutput.line(ErrorMessages.catalogue.text(wereTokensGiven ? .tokenNoneLeft : .tokenNone))
    } else if json {
      StandardOutput.bytes(table.json)
    } else {
      StandardOutput.text(table.text)
    }
  }
}

/// `ebb token revoke`: takes tokens back.
struct TokenRevokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.tokenRevoke, "revoke", examples: .tokenRevoke)

  @Argument(help: .usage(.tokenID))
  var id: String?

  @Option(help: .usage(.tokenRevokeUser, valueName: "name"))
  var user: String?

  @OptionGroup var database: ServerDatabaseOption

  func validate() throws {
    guard (id == nil) != (user == nil), id != "", user != "" else {
      throw ValidationError(ErrorMessages.usage(.wrongRevoke))
    }
  }

  func run() throws {
    let named = user.map { UserName($0).map(GrantChoice.user) } ?? id.map(GrantChoice.id)
    var revoked = try named.map(revoke) ?? []
    // Only then, for one token that is damaged must not keep others from being taken back.
    if revoked.isEmpty, let id, let whole = try whole(id) { revoked = try revoke(.id(whole)) }
    guard !revoked.isEmpty else { throw CommandFailure.unknownToken(user ?? id ?? "") }
    for grant in revoked {
      StandardOutput.line(ErrorMessages.catalogue.text(.tokenRevoked, ["id": grant.id, "user": grant.user.text]))
    }
  }

  private func revoke(_ choice: GrantChoice) throws -> [Grant] {
    try database.withTokens { tokens throws(ServerError) in try tokens.revoke(choice) }
  }

  /// The id that begins so; nil if none does. Throws `CommandFailure` if several do.
  private func whole(_ beginning: String) throws -> String? {
    let ids = try database.withTokens { tokens throws(ServerError) in try tokens.all().map(\.id) }
    let meant = ids.filter { $0.hasPrefix(beginning) }
    guard meant.count > 1 else { return meant.first }
    throw CommandFailure.ambiguousToken(beginning, meant)
  }
}

extension ServerDatabaseOption {
  /// Says that a command has made the database. Nil if it need not make one, or it is no file. Ask before it is made.
  var sentenceIfMade: String? {
    let location = DatabaseLocation(path)
    let words = ErrorMessages.catalogue
    if let moment = location.lastWriteOfMissing {
      return words.text(.tokenDatabaseGone, ["path": shown, "time": TokenTable.minute(moment)])
    }
    guard let file = location.path, access(file, F_OK) != 0 else { return nil }
    return words.text(.tokenNewDatabase, ["path": shown])
  }

  /// Says that the database that a server wrote to in this place is gone. Nil if it is there, or if there was none.
  var sentenceIfMissing: String? {
    DatabaseLocation(path).lastWriteOfMissing.map { moment in
      ErrorMessages.catalogue.text(.serveDatabaseMissing, ["path": shown, "time": TokenTable.minute(moment)])
    }
  }

  func withTokens<Value>(
    makesDatabase: Bool = false, _ body: (ServerTokens) throws(ServerError) -> Value
  ) throws -> Value {
    try Self.attempt { () throws(ServerError) in
      let tokens = try ServerTokens(
        database: path, makesDatabase: makesDatabase, clock: Environment.system.now, onCopy: Self.tellCopy)
      defer { tokens.close() }
      return try body(tokens)
    }
  }
}

/// Tokens as `ebb token list` prints them, a line each: `3f0c1a22  anna  sync  made …  expires …  last used …  laptop`.
/// Times in UTC.
struct TokenTable {
  private let grants: [Grant]
  private let now: Timestamp

  init(_ grants: [Grant], now: Timestamp) {
    self.grants = grants
    self.now = now
  }

  /// `{id, user, scope, label, createdAt, expiresAt, lastUsedAt}`.
  var json: [UInt8] {
    JSONObject.array(
      grants.map { grant in
        JSONObject([
          "id": .text(grant.id),
          "user": .text(grant.user.text),
          "scope": .text(grant.scope.rawValue),
          "label": .text(grant.label),
          "createdAt": .text(grant.createdAt.text),
          "expiresAt": FieldValue(grant.expiresAt?.text),
          "lastUsedAt": FieldValue(grant.lastUsedAt?.text),
        ])
      })
  }

  var text: [UInt8] { TextColumns.lines(grants.map(columns)) }

  private func columns(_ grant: Grant) -> [String] {
    let words = ErrorMessages.catalogue
    let end =
      grant.expiresAt.map { words.text($0 <= now ? .tokenExpired : .tokenExpires, ["date": Self.day($0)]) }
      ?? words.text(.tokenLasts)
    let use = grant.lastUsedAt.map { words.text(.tokenUsed, ["time": Self.minute($0)]) } ?? words.text(.tokenUnused)
    return [
      grant.id, grant.user.text, grant.scope.rawValue, words.text(.tokenMade, ["date": Self.day(grant.createdAt)]), end,
      use, grant.label.printable,
    ]
  }

  private static func day(_ moment: Timestamp) -> String { String(moment.text.prefix(10)) }

  static func minute(_ moment: Timestamp) -> String {
    day(moment) + " " + moment.text.dropFirst(11).prefix(5) + "Z"
  }
}
