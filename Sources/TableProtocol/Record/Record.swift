/// One row of a table: an id, the user's columns, and what the server keeps about the row.
public struct Record: Sendable, Hashable {
  /// Immutable, unique in its table, compared exactly (sync-rules Q25).
  public var id: RecordID
  /// The user's columns by name: everything but the id and the system properties.
  public var values: [String: FieldValue]
  public var system: SystemProperties

  public init(id: RecordID, values: [String: FieldValue] = [:], system: SystemProperties = SystemProperties()) {
    self.id = id
    self.values = values
    self.system = system
  }
}

extension Record {
  /// True if a column has a text with U+0000: see ``FieldValue/hasNullCharacter``.
  package var hasNullCharacter: Bool { values.values.contains(where: \.hasNullCharacter) }
}

/// The columns that the server maintains on every row (wire 1). A client never writes these.
public struct SystemProperties: Sendable, Hashable {
  /// UTC. Protocol 3.0.0 has none.
  public var createdAt: Timestamp?
  /// UTC; moved by every write, deletes included: the sync cursor.
  public var updatedAt: Timestamp?
  /// Nil until a server has stored the row.
  public var version: RecordVersion?
  /// True for a tombstone: the row was deleted and is kept so that other devices learn of it.
  public var deleted: Bool

  public init(
    createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil, version: RecordVersion? = nil,
    deleted: Bool = false
  ) {
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.version = version
    self.deleted = deleted
  }
}

/// The names of the columns that are not the user's.
package enum SystemColumn {
  package static let id = "id"
  package static let createdAt = "createdAt"
  package static let updatedAt = "updatedAt"
  package static let version = "version"
  package static let deleted = "deleted"

  /// True for a name a client must not send as a value.
  package static func contains(_ name: String) -> Bool {
    switch name {
    case id, createdAt, updatedAt, version, deleted: true
    default: false
    }
  }
}
