import FoundationEssentials
import GRDB
import TableProtocol

/// An open transaction that may write; there is never more than one.
struct WriteTransaction {
  let database: Database
  let clock: @Sendable () -> Timestamp

  /// What the next row that is written carries.
  struct Stamp {
    let updatedAt: Timestamp
    let version: RecordVersion
  }

  /// Takes the next moment: now, or a millisecond after the last one given out, whichever is later.
  ///
  /// It is taken inside the transaction, and transactions follow one another, so rows become visible
  /// in the order of their `updatedAt`: no pull can pass one by (table-protocol 11). The version is
  /// made of the same number, which no two writes share.
  func nextStamp() throws -> Stamp {
    let statement = try database.cachedStatement(
      sql: "UPDATE ServerClock SET lastUpdatedAt = max(?, lastUpdatedAt + 1) RETURNING lastUpdatedAt")
    guard let moment = try Int64.fetchOne(statement, arguments: [clock().milliseconds]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the server's clock row is missing")
    }
    return Stamp(updatedAt: Timestamp(milliseconds: moment), version: Self.version(moment))
  }

  /// Base64 of eight bytes, as clients that hold versions as bytes need it.
  private static func version(_ number: Int64) -> RecordVersion {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    return RecordVersion(Data(bytes).base64EncodedString())
  }
}
