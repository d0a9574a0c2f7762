import OfflineSync
package import TableProtocol
package import TableStorage

extension ListID {
  /// The list of those who need not sign in.
  package static let first = ListID(.todoItem)
}

/// The clock of this machine.
package enum WallClock {
  package static let now = Environment.system.now
}

extension EditableList {
  /// Writes a row much as the server does, without its rules: at the next moment of the list, and counted in its
  /// digest. `clock` is for a storage that has none of its own.
  package func put(
    _ id: RecordID, isDeleted: Bool = false, clock: @Sendable () -> Timestamp = WallClock.now
  ) throws {
    let state = try state()
    var digest = state.digest
    let moment = max(now ?? clock(), state.lastMoment.advanced(byMilliseconds: 1))
    let stored = try row(id)
    var record = stored ?? Record(id: id, values: ["text": .text(id.text)])
    if stored != nil { record.values["text"] = .text("again") }
    let version = RecordVersion("v\(moment.milliseconds)")
    record.system = SystemProperties(
      createdAt: stored?.system.createdAt ?? moment, updatedAt: moment, version: version, deleted: isDeleted)
    if stored == nil { try insert(record) } else { try update(record) }
    if let old = stored?.system.version, stored?.system.deleted == false { digest.remove(id, old) }
    if !isDeleted { digest.add(id, version) }
    try save(lastMoment: moment, digest: digest)
  }
}
