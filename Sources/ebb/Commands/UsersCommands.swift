import ArgumentParser
import TableProtocol
import TableStorage
import Words

/// `ebb serve users`: who has something in the server's database.
struct ServeUsersCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .users, "users", examples: .serveUsers, more: .usersMore, subcommands: [ServeUsersRemoveCommand.self])

  @Flag(help: .usage(.jsonArray))
  var json = false

  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    let users = try database.users()
    let words = ErrorMessages.catalogue
    if json {
      StandardOutput.bytes(Self.json(users))
    } else if users.isEmpty {
      StandardOutput.line(words.text(.usersNone))
    } else {
      StandardOutput.text(TextColumns.lines(users.map { Self.columns($0, words) }))
    }
  }

  private static func columns(_ user: KeptUser, _ words: Catalogue) -> [String] {
    let use = user.lastUse.map { words.text(.tokenUsed, ["time": TokenTable.minute($0)]) } ?? words.text(.tokenUnused)
    return [
      user.name?.text ?? words.text(.usersNobody), words.text(.serveItems, count: user.items),
      words.text(.serveTombstones, count: user.tombstones), words.text(.usersTokens, count: user.tokens),
      user.name == nil ? "" : use,
    ]
  }

  /// `[{user, items, deleted, tokens, lastUsedAt}]`; the user of those who need not sign in is null.
  private static func json(_ users: [KeptUser]) -> [UInt8] {
    JSONObject.array(
      users.map { user in
        JSONObject([
          "user": FieldValue(user.name?.text),
          "items": FieldValue(user.items),
          "deleted": FieldValue(user.tombstones),
          "tokens": FieldValue(user.tokens),
          "lastUsedAt": FieldValue(user.lastUse?.text),
        ])
      })
  }
}

/// `ebb serve users remove`: removes users with all lists and tokens.
struct ServeUsersRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .usersRemove, "remove", examples: .serveUsersRemove, more: .usersRemoveMore)

  @Argument(help: .usage(.usersName))
  var names: [String]

  @OptionGroup var removal: RemovalOptions
  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    let words = ErrorMessages.catalogue
    let (users, shown) = try removal.ask(
      about: names, in: database.users(), unknown: RemovalFailure.unknownUser
    ) { users, items, count in
      words.text(.usersQuestion, count: count, ["users": users, "items": items])
    }
    let removed = try database.withDatabase { database, update async throws(ServerDatabaseError) in
      try await database.remove(users, update)
    }
    let taken = words.text(.usersTakenBack, count: removed.grants.count)
    let content = [removed.lists.content, taken].joined(separator: words.text(.listSeparator))
    StandardOutput.report(words.text(.usersRemoved, count: users.count, ["users": shown, "content": content]))
  }
}

extension ServerDatabaseOption {
  fileprivate func users() throws -> [KeptUser] {
    try withDatabase { database, update async throws(ServerDatabaseError) in try await database.users(update) }
  }
}
