import ArgumentParser
import OfflineSync
import TableStorage
import Words

extension RemovedLists {
  /// `2 lists, 41 items, 3 traces of deleted items`.
  var content: String {
    let words = ErrorMessages.catalogue
    var parts = [words.text(.serveLists, count: lists), words.text(.serveItems, count: items)]
    if tombstones > 0 { parts.append(words.text(.serveTraces, count: tombstones)) }
    return parts.joined(separator: words.text(.listSeparator))
  }
}

/// A part of the server's database that its keeper removes by name: a table of all users, or a user with all lists.
protocol RemovablePart {
  associatedtype Name: Hashable & Sendable

  /// Nil for a part without a name, which can't be removed.
  var key: Name? { get }
  /// Rows that are not deleted.
  var items: Int { get }

  /// Nil for a text that can't be a name.
  static func named(_ text: String) -> Name?
  static func text(_ name: Name) -> String
}

extension KeptTable: RemovablePart {
  var key: ServedTable? { table }

  static func named(_ text: String) -> ServedTable? { ServedTable(named: text) }
  static func text(_ name: ServedTable) -> String { name.name }
}

extension KeptUser: RemovablePart {
  var key: UserName? { name }

  static func named(_ text: String) -> UserName? { UserName(text) }
  static func text(_ name: UserName) -> String { name.text }
}

/// For the commands that remove something from the server's database for good.
struct RemovalOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: .usage(.removeYes))
  var yes = false

  @OptionGroup var asking: AskingOptions

  /// Finds the parts with these names, and asks at the terminal whether they may be removed. Returns their names, and
  /// how sentences show them.
  ///
  /// Throws `CommandFailure` if one of them is not there, for any answer but yes, and if there is no terminal to ask at.
  func ask<Part: RemovablePart>(
    about names: [String], in parts: [Part], unknown: (String) -> RemovalFailure,
    _ question: (_ names: String, _ items: String, _ count: Int) -> String
  ) throws -> (names: Set<Part.Name>, shown: String) {
    var found: [Part.Name: Part] = [:]
    for text in names {
      guard let name = Part.named(text), let part = parts.first(where: { $0.key == name }) else {
        throw CommandFailure.removal(unknown(text))
      }
      found[name] = part
    }
    let words = ErrorMessages.catalogue
    let shown = found.keys.map { Part.text($0) }.sorted().joined(separator: words.text(.listSeparator))
    let items = words.text(.serveItems, count: found.values.reduce(0) { $0 + $1.items })
    try ask(question(shown, items, found.count))
    return (Set(found.keys), shown)
  }

  private func ask(_ question: String) throws {
    guard !yes else { return }
    guard !asking.noInput, SyncQuestion.canBeAsked else { throw CommandFailure.removal(.notAsked) }
    guard YesOrNo.isAgreed(question, ErrorMessages.catalogue.text(.joinChoices)) else {
      throw CommandFailure.removal(.declined)
    }
  }
}

extension ServerDatabaseOption {
  /// Works on the database, on which a server may run. One of an earlier version is brought up to date first.
  func withDatabase<Value: Sendable>(
    _ body: @escaping @Sendable (ServerDatabase, DatabaseUpdate) async throws(ServerDatabaseError) -> Value
  ) throws -> Value {
    let path = self.path
    let update = DatabaseUpdate(clock: Environment.system.now, onCopy: Self.tellCopy)
    let outcome = ServerWork.wait { () async throws(ServerDatabaseError) in
      try await body(ServerDatabase(path: path), update)
    }
    return try Self.attemptOnDatabase { () throws(ServerDatabaseError) in try outcome.get() }
  }
}
