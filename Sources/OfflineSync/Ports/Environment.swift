package import TableProtocol

/// Where time, new ids and chance come from: the machine in the program, a script in a test.
package struct Environment: Sendable {
  /// The time now, UTC.
  package let now: @Sendable () -> Timestamp
  /// A new id: a lower-case UUID (table-protocol 1).
  package let newID: @Sendable () -> String

  /// A number from 0 up to 1, by chance.
  package let chance: @Sendable () -> Double
  /// Waits so many milliseconds, or until the closure gives true, which it is asked now and then. Called on
  /// the sync queue only.
  package let pause: @Sendable (Int64, _ isOver: () -> Bool) -> Void

  package init(
    now: @escaping @Sendable () -> Timestamp, newID: @escaping @Sendable () -> String,
    chance: @escaping @Sendable () -> Double = { 0 },
    pause: @escaping @Sendable (Int64, () -> Bool) -> Void = { _, _ in }
  ) {
    self.now = now
    self.newID = newID
    self.chance = chance
    self.pause = pause
  }
}
