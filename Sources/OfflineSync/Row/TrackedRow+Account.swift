import TableProtocol

/// The rules for a row whose list moves to another address or account.
extension TrackedRow {
  /// A version that no server gives: it equals none.
  static let voidVersion = RecordVersion("void")

  /// The same list at another address. That server may give an old version to other columns, so none is believed any
  /// more: the next copy is judged by its columns.
  package mutating func doubtVersions() {
    base = base.withDoubtedVersion
    if !isAboutLost { server = server.withDoubtedVersion }
  }

  /// Meets a copy of a database that a person called the same list as the one before. Another device may have given it an
  /// earlier state of the row than the last one here (D31). Then both sides began with that state, and what the row became
  /// here since is a change of the copy.
  ///
  /// If the past of the row does not tell, the words do. A copy that lacks some and adds none is taken for the earlier one,
  /// one that adds some and lacks none for the newer one, and if it does both a person decides.
  mutating func findAncestor(of copy: ServerSide) {
    guard meetsOtherDatabase, isFromElsewhere, let last = base.live, let shown = copy.live, !last.agrees(with: shown)
    else { return }
    if let state = earlier.last(where: { $0.agrees(with: shown) }) {
      base = .known(Record(id: id, values: state))
    } else if case .earlier(let state) = InsertOrigin.of(shown, sent: last, earlier: earlier) {
      base = .known(Record(id: id, values: state))
    } else if last.hasWords(beyond: shown) {
      base = shown.hasWords(beyond: last) ? .unknown : .known(Record(id: id, values: shown))
    }
  }

  /// True if the last copy is of a database that the list has left, and no person is asked about the row.
  var isFromElsewhere: Bool { base.isLive && base.version == Self.voidVersion && !isConflict && !isHeld }

  /// A complete comparison did not find the row in that database, where nobody deleted it: what waits of it is a new row
  /// there. What was sent and has no answer may have made it since.
  mutating func receiveAbsenceElsewhere() {
    guard local != nil else { return receiveAbsence() }
    guard isFromElsewhere, underWay == nil else { return }
    base = .unknown
    server = .unknown
  }

  /// The list is taken along to another account: every row becomes one of which the new server may have anything. What
  /// waited, or had to be decided, was about rows of the old server.
  package mutating func takeAlong() {
    base = local == nil ? .never : .unknown
    server = base
    underWay = nil
    attention = nil
    places = Places()
  }
}

extension ServerSide {
  fileprivate var withDoubtedVersion: ServerSide { version == nil ? self : withVersion(TrackedRow.voidVersion) }
}
