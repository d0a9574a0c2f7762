import FoundationEssentials
import GRDB
import TableProtocol

/// An open transaction that may write; there is never more than one.
final class WriteTransaction {
  let database: Database
  private let clock: @Sendable () -> Timestamp
  /// The last moment given out; nil until this transaction has asked for one.
  private var lastMoment: Timestamp?
  /// What the rows written so far add to the digests of their tables. Whoever undoes rows puts it back.
  var digestChanges: [ServedTable: TableDigest] = [:]

  /// What the next row that is written carries.
  struct Stamp {
    let updatedAt: Timestamp
    let version: RecordVersion
    /// What the machine's clock says.
    let now: Timestamp

    /// When the item was made: the moment that its client says, if that has passed, else the moment of the write.
    /// The epoch and what is before it are what a device without a clock says.
    func createdAt(said: Timestamp?) -> Timestamp {
      guard let said, said > .epoch, said <= now else { return updatedAt }
      return said
    }
  }

  /// Runs `body` in the transaction that `database` is in.
  static func run<Value>(
    in database: Database, clock: @escaping @Sendable () -> Timestamp, _ body: (WriteTransaction) throws -> Value
  ) throws -> Value {
    let transaction = WriteTransaction(database: database, clock: clock)
    let value = try body(transaction)
    try transaction.keepMoment()
    try transaction.keepDigests()
    return value
  }

  private init(database: Database, clock: @escaping @Sendable () -> Timestamp) {
    self.database = database
    self.clock = clock
  }

  /// Takes the next moment: now, or a millisecond after the last one given out, whichever is later.
  ///
  /// It is taken inside the transaction, and transactions follow one another, so rows become visible
  /// in the order of their `updatedAt`: no pull can pass one by (wire 11). The version is
  /// made of the same number, which no two writes share. A savepoint that is undone gives none back.
  func nextStamp() throws -> Stamp {
    let earliest = try (lastMoment ?? StoredClock.read(in: database)).advanced(byMilliseconds: 1)
    let now = clock()
    let moment = max(now, earliest)
    lastMoment = moment
    return Stamp(updatedAt: moment, version: Self.version(moment.milliseconds), now: now)
  }

  /// Stored with the rows that carry the moments, or not at all: what a crash loses, nobody has seen.
  private func keepMoment() throws {
    if let lastMoment { try StoredClock.write(lastMoment, in: database) }
  }

  /// Takes note that a row became another; nil for one that is new.
  func note(_ before: SystemProperties?, _ after: Record, in table: ServedTable) {
    if let version = before?.version, before?.deleted == false {
      digestChanges[table, default: TableDigest()].remove(after.id, version)
    }
    if let version = after.system.version, !after.system.deleted {
      digestChanges[table, default: TableDigest()].add(after.id, version)
    }
  }

  private func keepDigests() throws {
    for (table, change) in digestChanges where change != TableDigest() {
      try StoredDigest.add(change, to: table, in: database)
    }
  }

  /// Base64 of eight bytes, as clients that hold versions as bytes need it.
  private static func version(_ number: Int64) -> RecordVersion {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    return RecordVersion(Data(bytes).base64EncodedString())
  }
}
