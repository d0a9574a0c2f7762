import HTTPTypes
import TableProtocol
import TableStorage

/// A request's change of one row (wire 7). Decided upon without a database, so that every storage decides alike.
struct RequestedChange: Sendable {
  enum Kind: Sendable {
    case insert(ItemFields)
    case change(ChangeOfStored)
  }

  /// A change of a row that has to be there.
  enum ChangeOfStored: Sendable {
    case merge(ItemFields)
    case replace(ItemFields, revives: Bool)
    case delete
    case revive
  }

  let id: RecordID
  let kind: Kind
  let preconditions: Preconditions
  let version: ProtocolVersion

  /// Decides by the row that is stored under the id, a tombstone too; nil if there is none.
  func decide(on stored: Record?) -> RowDecision {
    switch (kind, stored) {
    case (.insert(let fields), nil):
      // Clients of 3.0.0 leave out what is `false`; in 2.0.0 a column that is left out is null (wire 5).
      .insert(fields.values, createdAt: fields.createdAt, isWhole: version == .v3)
    case (.insert, let stored?): .answer(RowOutcome(.idTaken, stored))
    case (.change, nil): .answer(RowOutcome(.missing, nil))
    case (.change(let change), let stored?): decide(change, on: stored)
    }
  }

  private func decide(_ change: ChangeOfStored, on stored: Record) -> RowDecision {
    if stored.system.deleted, let outcome = outcome(of: change, onTombstone: stored) { return .answer(outcome) }
    guard preconditions.allowWriting(stored) else { return .answer(RowOutcome(.versionDiffers, stored)) }
    switch change {
    case .revive:
      return .update(stored, [:])
    case .merge(let fields):
      // A body that changes nothing is answered with the item as it is.
      if fields.values.isEmpty, !stored.system.deleted { return .answer(RowOutcome(.found, stored)) }
      return .update(stored, fields.values)
    case .replace(let fields, _):
      return .update(stored, fields.values, isWhole: true)
    case .delete:
      return .update(stored, [:], deleted: true)
    }
  }

  /// Nil if the change may go on with a tombstone: it is one that brings the row back.
  private func outcome(of change: ChangeOfStored, onTombstone stored: Record) -> RowOutcome? {
    switch change {
    case .revive, .replace(_, revives: true): return nil
    // In 3.0.0 `"deleted": false` brings a tombstone back.
    case .merge(let fields) where version == .v3 && fields.deleted == false: return nil
    // The wish of a second delete is fulfilled.
    case .delete: return RowOutcome(.alreadyRemoved, stored)
    case .merge, .replace: return RowOutcome(preconditions == .none ? .tombstone : .tombstoneUnderCondition, stored)
    }
  }
}

/// The decision on a change: an answer at once, or something to write.
enum RowDecision: Hashable, Sendable {
  case answer(RowOutcome)
  case insert([String: FieldValue], createdAt: Timestamp?, isWhole: Bool)
  case update(Record, [String: FieldValue], isWhole: Bool = false, deleted: Bool = false)
}

/// How a request about one row ended. ``AnswerTable`` has the status of each.
struct RowOutcome: Hashable, Sendable {
  enum Kind: Hashable, Sendable, CaseIterable {
    case found
    /// A reader has the row as it is stored.
    case unchanged
    case created, changed, removed
    /// A delete met a tombstone.
    case alreadyRemoved
    /// An insert met a row, or a tombstone.
    case idTaken
    case versionDiffers
    /// A change met a tombstone.
    case tombstone
    /// The same, by a request with a condition.
    case tombstoneUnderCondition
    /// A tombstone was asked for by a request that does not want any.
    case hidden
    case missing
  }

  let kind: Kind
  /// As it is stored now; nil if there is none.
  let row: Record?

  init(_ kind: Kind, _ row: Record?) {
    self.kind = kind
    self.row = row
  }
}

extension ListTransaction {
  /// Decides on the change, and writes what it comes to.
  func perform(_ change: RequestedChange) throws -> RowOutcome {
    switch change.decide(on: try list.row(change.id)) {
    case .answer(let outcome):
      return outcome
    case .insert(let values, let createdAt, let isWhole):
      return RowOutcome(.created, try insert(change.id, values, createdAt: createdAt, isWhole: isWhole))
    case .update(let stored, let values, let isWhole, let deleted):
      let row = try update(stored, values, isWhole: isWhole, deleted: deleted)
      return RowOutcome(deleted ? .removed : .changed, row)
    }
  }
}
