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
