import TableProtocol

/// All of a database that is not a row: what goes with the lists when they are moved to another storage.
///
/// Answers that are kept for clients that did not get them do not go along. So each list says that all of them were
/// dropped up to now: who repeats a request is told that its outcome is not known any more, and looks at the item.
struct MovedDatabase: Sendable {
  struct List: Hashable, Sendable {
    let list: ListID
    let columns: [TableColumn]
    let state: ListState
  }

  let identity: DatabaseIdentity
  /// As a list has it that was not there when the epoch began.
  let epoch: DatabaseEpoch
  let aliases: ColumnNames
  let address: String?
  /// The oldest first.
  let lists: [List]
  /// The damaged ones are not moved.
  let tokens: StoredTokens
  let answersKeptAfter: Timestamp

  /// True if nothing was written to the one that was not written to the other, whenever they were read.
  func isSame(as other: MovedDatabase) -> Bool {
    identity == other.identity && epoch == other.epoch && aliases == other.aliases && address == other.address
      && lists == other.lists && tokens == other.tokens
  }
}

/// A storage whose whole content can be taken elsewhere, and that can take over that of another. Its methods block.
protocol MovableStorage: ServerStorage {
  /// True if nothing was written to it yet, and no token was given out.
  func isUnused() throws -> Bool

  /// The table of the tokens, as the keeper of the database sees it.
  var tokenTable: String { get }

  /// The tokens in one state of the database, so that each has its own grant.
  func allTokens() throws -> StoredTokens

  /// Throws `ServerDatabaseError.move(.inUse)` if another program of Ebb has it open, if that can be told from here.
  func refuseOthers() throws

  /// Makes it this move's, and removes what one left that was stopped before its end. Until it is finished or given up,
  /// it is not served, and no other move writes to it. Throws `ServerDatabaseError.move(.targetUsed)` if it has
  /// something in it.
  func claim() throws

  /// Leaves it empty, if it is still this move's.
  func giveUpMove()

  /// Gives the first list, which every database has, the owner that it has there. Before the rows come.
  func begin(_ database: MovedDatabase) throws

  /// Becomes that database. After the rows have come.
  func finish(_ database: MovedDatabase) throws

  /// Lets it be served. After both were compared.
  func markMoveFinished() throws
}
