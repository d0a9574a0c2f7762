package import TableProtocol

/// A copy of a fake server's rows, as of one moment.
package struct FakeBackup: Sendable {
  let rows: [RecordID: Record]
  let clock: Timestamp
  let epoch: DatabaseEpoch
}

extension FakeServer {
  package func backUp() -> FakeBackup { withState { FakeBackup(rows: $0.rows, clock: $0.clock, epoch: $0.epoch) } }

  /// Puts a copy back in place of what it has. Its clock goes on, and the epoch after that of the copy begins, unless
  /// nobody says so: then it is as it was, and only what it has tells.
  package func restore(_ backup: FakeBackup, raisesEpoch: Bool = true) {
    withState { state in
      state.rows = backup.rows
      guard raisesEpoch else {
        state.clock = backup.clock
        return
      }
      state.clock = state.clock.advanced(byMilliseconds: 1_000)
      state.raiseEpoch(behind: backup.epoch)
    }
  }

  /// Removes a tombstone for its age, and says so with each list.
  package func sweep(_ id: RecordID) {
    withState { state in
      guard let row = state.rows.removeValue(forKey: id), row.system.deleted else { return }
      state.tombstones = TombstoneRetention(days: 180, after: row.system.updatedAt)
    }
  }

  /// The next epoch begins with the rows as they are now, as when somebody remembers it late.
  package func raiseEpoch() { withState { $0.raiseEpoch(behind: $0.epoch) } }

  /// Lists of others are removed. The next epoch begins, and the rows here are all that there were.
  package func removeOtherLists() { withState { $0.raiseEpoch(behind: $0.epoch, isRemoval: true) } }

  /// This list is removed, and its tombstones with it. The next row begins another one in its place.
  package func removeList() {
    withState { state in
      (state.rows, state.tombstones) = ([:], nil)
      state.raiseEpoch(behind: state.epoch, isRemoval: true)
    }
  }
}

extension FakeServer.State {
  fileprivate mutating func raiseEpoch(behind last: DatabaseEpoch, isRemoval: Bool = false) {
    raised += 1
    let name = "raised\(raised)"
    // A list that got its first rows in the last epoch may have replaced a removed one.
    let isNew = last.from == nil && newest != nil
    let nonce = isRemoval ? last.nonce(afterRemoval: name, endsHere: isNew) : name
    epoch = DatabaseEpoch(number: last.number + 1, from: newest, nonce: nonce)
  }
}
