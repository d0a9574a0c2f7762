import TableProtocol

/// The rules for a row whose list moves to another address or account.
extension TrackedRow {
  /// A version that no server gives: it equals none.
  static let voidVersion = RecordVersion("void")

  /// The same list at another address. That server may give an old version to other columns, so none is believed any
  /// more: the next copy is judged by its columns.
  package mutating func voidVersions() {
    base = base.withVoidVersion
    if !isAboutLost { server = server.withVoidVersion }
  }

  /// Meets a copy of a database that a person called the same list as the one before. Another device may have given it
  /// an earlier state of the row than the last one here (D31). Then both sides began with that state, and what the row
  /// became here since is a change of the copy. Each column is looked at by itself: a copy may have one from before and
  /// another from after. Whoever deleted an earlier state there has not seen what the row is here: the columns of a
  /// tombstone count too (D36). If it lives again there as it was, the same ancestor keeps what the row became here
  /// (D37).
  mutating func findAncestor(of copy: ServerSide) {
    guard looksForAncestor, isFromElsewhere, !isInQuestion(copy), let last = base.live,
      let shown = copy.saidColumns, !last.look(like: shown)
    else { return }
    // A change that was sent may be there, and others may have changed it since.
    let newest = underWay?.want ?? last
    let past = underWay?.want == nil ? earlier : earlier + [last]
    var ancestor = last
    for (name, value) in shown {
      guard let here = newest[name], !value.looks(like: here), !value.looks(like: last[name]) else { continue }
      let column = ColumnPast(newest: here, earlier: past.compactMap { $0[name] })
      switch column.origin(of: value) {
      case .newest: break
      case .earlier(let state): ancestor[name] = state
      // Both were made from something that is not known here. What is deleted there must not live again unasked.
      case .unclear where local != nil:
        base = copy.isLive ? .unknown : .known(Record(id: id))
        return
      case .unclear: break
      }
    }
    // A deletion of just what the row is here is asked about all the same, if something waits.
    if ancestor != last, copy.isLive || !Columns.agree(local, ancestor) {
      base = .known(Record(id: id, values: ancestor))
    }
  }

  /// True for the live columns that a person is asked about already.
  private func isInQuestion(_ copy: ServerSide) -> Bool {
    isConflict && copy.isLive && Columns.agree(server.live, copy.live)
  }

  /// True if the last copy is of a database that the list has left, and no person is asked about a live copy of the
  /// present one.
  ///
  /// A person who was asked before the move, or about a deletion, has seen no live copy of this database. The first one
  /// may show an earlier state, as it may of any other row (D37). A delete in question keeps its question.
  var isFromElsewhere: Bool {
    guard base.isLive, base.version == Self.voidVersion, !isHeld, !isAboutLost else { return false }
    return !isConflict || (local != nil && (!server.isLive || server.version == Self.voidVersion))
  }

  /// A complete comparison did not find the row in that database, and nobody deleted it there: a change that waits
  /// becomes one of a new row. So does a change that was sent and has no answer. A question stays open, with both
  /// texts.
  mutating func receiveAbsenceElsewhere() {
    if isConflict {
      // The other side of the question is not there either.
      if server.isLive { stayInConflict(over: .unknown) } else { server = .unknown }
    } else if isHeld || (underWay != nil && underWay?.want == nil) {
      receiveAbsence()
    } else if isFromElsewhere {
      base = .unknown
      server = .unknown
    }
  }

  /// The list is taken along to another account (W3): every row becomes one of which the new server may have anything,
  /// since another device may have sent it the same list. So rows that were added or edited here, or are in conflict,
  /// go along as they are. A deletion that waited is dropped: it was about a row of the old server.
  package mutating func takeAlong() {
    base = local == nil ? .never : .unknown
    server = base
    underWay = nil
    attention = nil
    places = Places()
  }
}

extension ServerSide {
  fileprivate var withVoidVersion: ServerSide { version == nil ? self : withVersion(TrackedRow.voidVersion) }
}
