import OfflineSync
import TableProtocol

/// Rules whose breaking only worlds with an edge notice.
extension Breakage {
  /// Drops what was said here of an item's completion when the item is merged.
  static let losesToggles = Breakage(
    "loses a completion at a merge", edges: [.completions], law: .completion,
    store: { ForwardingStore(base: $0) { ToggleLosingWriter($0) } })

  /// Sends changes before it is written down whose list it is (Q26).
  static let sendsUnclaimed = Breakage(
    "sends before the store has an owner", law: .accounts,
    store: { ForwardingStore(base: $0) { UnclaimingWriter($0) } })

  /// Takes the versions of a server for those of another that has the same list.
  static let trustsOldVersions = Breakage(
    "trusts the versions of another server", edges: [.copiedServer],
    store: { ForwardingStore(base: $0) { UnvoidedWriter($0) } })

  /// Forgets that the list is that of another database, whose rows may be missing or older here (D28, D31).
  static let trustsOtherDatabase = Breakage(
    "takes another database for the one it knew", edges: [.lostDatabase], law: .nothingLost,
    store: { ForwardingStore(base: $0) { TrustingWriter($0) } })

  /// Removes most of a list in several syncs, each of which removes less than half.
  static let forgetsStop = Breakage(
    "forgets that it was stopped", edges: [.clearance], law: .massDeletion,
    store: { ForwardingStore(base: $0) { StopForgettingWriter($0) } })

  /// Applies what was decided to whatever the conflict has become meanwhile.
  static let decidesUnseen = Breakage(
    "applies a decision to what nobody was shown", edges: [.whileAsked], law: .nothingLost, decidesByID: true)

  /// Goes on trusting in an order that the server does not promise any more.
  static let trustsOrder = Breakage(
    "trusts in an order that ended", edges: [.orderEnds],
    remote: { base in
      var remote = ForwardingRemote(base: base)
      // Only our own server ever promised one, and says which database it has.
      let wasOrdered = base.knowledge.database != nil
      remote.listed = { _, page in
        var page = page
        page.isOrdered = wasOrdered
        return page
      }
      return remote
    })

  /// Moves its token to what the server says of its list, without its rows (wire 19.2).
  static let believesNotices = Breakage(
    "takes a notice for the rows", edges: [.notices], law: .token, believesNotices: true)

  /// Pulls for whatever a server says, as often as it says it.
  static let pullsForEachNotice = Breakage(
    "pulls for each notice, whatever came of the last", edges: [.notices], law: .patience, pullsForEachNotice: true)

  /// Does not hear that the server went back (sync-rules W4).
  static let ignoresEpoch = Breakage(
    "does not hear that the server went back", edges: [.restoredServer], law: .nothingLost,
    remote: { EpochlessRemote(base: $0) })

  /// Takes the moment of an epoch for that of all that it missed, whatever the steps before were.
  static let believesLastStep = Breakage(
    "looks only at how the last epoch began", edges: [.restoredServer, .removedLists], law: .nothingLost,
    remote: { NamelessRemote(base: $0) })

  /// Forgets that the server had lost what a person deleted (sync-rules W4).
  static let forgetsLostDeletions = Breakage(
    "forgets what was deleted while it asked", edges: [.heldDeletions], law: .nothingLost,
    store: { ForwardingStore(base: $0) { DeletionForgettingWriter($0) } })

  /// Does not say with its changes how far it has read: the first of them hides that the server went back.
  static let expectsNothing = Breakage(
    "does not say how far it has read", edges: [.unsaidRestore], law: .nothingLost, remote: { SilentRemote(base: $0) })

  /// Sends again what a server denied that went back, and does not look at what else it has lost.
  static let insistsOnSending = Breakage(
    "sends again what a server that went back denied", edges: [.unsaidRestore], law: .nothingLost,
    remote: { InsistentRemote(base: $0) })

  /// Takes what a server without epochs has for newer than what it gave before, however old it is.
  static let takesOlderCopies = Breakage(
    "takes any older copy of a server without epochs", edges: [.foreignRestore], law: .restores,
    settings: { $0.overlapMilliseconds = 100 * 365 * 86_400_000 })

  /// Asks for news only, and not for the newest row that the server had.
  static let asksForNoWitness = Breakage(
    "does not ask whether the server still has its newest row", edges: [.foreignRestore], law: .restores,
    store: { WitnessHidingStore(base: $0) })

  /// Takes the time of the last change for the time when a row was made.
  static let renewsBirth = Breakage(
    "takes a change for the making of a row", edges: [.births], law: .birth,
    store: { ForwardingStore(base: $0) { BirthRenewingWriter($0) } })
}

/// Has no row that it could ask for.
private struct WitnessHidingStore: LocalStore {
  let base: any LocalStore

  func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value {
    try base.read { reader in
      // A reader of the store in memory can write too.
      guard let writer = reader as? any StoreWriter else { return try body(reader) }
      return try body(WitnessHider(writer))
    }
  }

  func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value { try base.write(body) }
}

private final class WitnessHider: ForwardingWriter {
  override func records(_ query: TableQuery) throws -> (records: [Record], totalCount: Int?) {
    let isNewest = query.limit == 1 && query.order.first == SortKey(SystemColumn.updatedAt, ascending: false)
    return isNewest ? ([], nil) : try super.records(query)
  }
}

private struct EpochlessRemote: ForwardingTable {
  let base: any RemoteTable

  var knowledge: ServerKnowledge {
    var knowledge = base.knowledge
    knowledge.epoch = nil
    return knowledge
  }

  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    var page = try base.page(query, at: link, verifying: verifying)
    (page.epoch, page.newest, page.isBehind) = (nil, nil, false)
    return page
  }
}

/// Shows of each epoch how it began, and hides that others came before.
private struct NamelessRemote: ForwardingTable {
  let base: any RemoteTable

  var knowledge: ServerKnowledge {
    var knowledge = base.knowledge
    knowledge.epoch = knowledge.epoch.map(Self.lastStep)
    return knowledge
  }

  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    var page = try base.page(query, at: link, verifying: verifying)
    page.epoch = page.epoch.map(Self.lastStep)
    return page
  }

  /// With its own name alone, and as the one after the first.
  private static func lastStep(_ epoch: DatabaseEpoch) -> DatabaseEpoch {
    let name = epoch.nonce?.split(separator: ",").first
    return DatabaseEpoch(number: min(epoch.number, 2), from: epoch.from, nonce: name.map { String($0) })
  }
}

private struct SilentRemote: ForwardingTable {
  let base: any RemoteTable

  func expect(_ reached: Timestamp?) {}
}

private struct InsistentRemote: ForwardingTable {
  let base: any RemoteTable

  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    base.send(changes, starting: starting) { part in
      settle(
        part.map { settled in
          guard case .failure(let failure) = settled.outcome, failure.reason == .otherEpoch else { return settled }
          base.expect(nil)
          return SettledChange(index: settled.index, outcome: base.send([changes[settled.index]])[0])
        })
    }
  }
}

private final class ToggleLosingWriter: ForwardingWriter {
  override func upsert(_ records: [Record], in table: String) throws {
    try super.upsert(
      try records.map { record in
        let operation = try operations(ofItems: [record.id], in: table).last { $0.kind == .update }
        // The result of a merge is put under the version of the server's copy before the operation is.
        guard let base = operation?.base, let version = record.system.version, version != base.system.version,
          let complete = base.values[SimulatedTable.complete]
        else { return record }
        var merged = record
        merged.values[SimulatedTable.complete] = complete
        return merged
      }, in: table)
  }
}

private final class UnclaimingWriter: ForwardingWriter {
  override func set(_ name: StoreSetting, to value: String?) throws {
    if name == .fact(SyncFact.account), value != nil, try operationCount() > 0 { return }
    try super.set(name, to: value)
  }
}

private final class UnvoidedWriter: ForwardingWriter {
  private static let voidVersion = RecordVersion("void")

  override func upsert(_ records: [Record], in table: String) throws {
    try super.upsert(records.filter { $0.system.version != Self.voidVersion }, in: table)
  }

  override func replace(_ operation: TableOperation) throws {
    if operation.base?.system.version != Self.voidVersion { try super.replace(operation) }
  }
}

private final class TrustingWriter: ForwardingWriter {
  override func set(_ name: StoreSetting, to value: String?) throws {
    if name != .fact(SyncFact.otherDatabase(of: SimulatedTable.name)) || value == nil { try super.set(name, to: value) }
  }
}

private final class StopForgettingWriter: ForwardingWriter {
  override func set(_ name: StoreSetting, to value: String?) throws {
    if name != .fact(SyncFact.deletions(in: SimulatedTable.name)) || value == nil { try super.set(name, to: value) }
  }
}

/// Remembers a deletion of a row that the server had lost as one of a row that no server ever had.
private final class DeletionForgettingWriter: ForwardingWriter {
  override func appendPastVersions(
    _ versions: [(itemID: RecordID, version: PastVersion)], in table: String, keeping row: Int, of all: Int
  ) throws {
    let forgetful = versions.map { entry -> (itemID: RecordID, version: PastVersion) in
      guard entry.version.before?.system.version == RecordVersion("lost") else { return entry }
      var before = entry.version.before
      before?.system.version = nil
      let (time, origin) = (entry.version.changedAt, entry.version.origin)
      return (itemID: entry.itemID, version: PastVersion(before: before, changedAt: time, origin: origin))
    }
    try super.appendPastVersions(forgetful, in: table, keeping: row, of: all)
  }
}

private final class BirthRenewingWriter: ForwardingWriter {
  override func upsert(_ records: [Record], in table: String) throws {
    try super.upsert(
      records.map { record in
        var renewed = record
        if record.system.version != nil {
          renewed.system.createdAt = record.system.updatedAt ?? record.system.createdAt
        }
        return renewed
      }, in: table)
  }
}
