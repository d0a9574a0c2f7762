package import TableProtocol

/// Where time and new ids come from: the machine in the program, a script in a test.
package struct Environment: Sendable {
  /// The time now, UTC.
  package let now: @Sendable () -> Timestamp
  /// A new id: a lower-case UUID (table-protocol 1).
  package let newID: @Sendable () -> String

  package init(now: @escaping @Sendable () -> Timestamp, newID: @escaping @Sendable () -> String) {
    self.now = now
    self.newID = newID
  }
}
