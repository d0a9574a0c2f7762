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

/// For the commands that remove something from the server's database for good.
struct RemovalOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: .usage(.removeYes))
  var yes = false

  @OptionGroup var asking: AskingOptions

  /// Asks at the terminal. Throws `CommandFailure` for any answer but yes, and if there is none to ask at.
  func ask(_ question: String) throws {
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
