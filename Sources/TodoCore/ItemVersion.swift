package import FoundationEssentials

/// What an item was at one time, as far as this device has seen it.
package struct ItemVersion: Sendable, Hashable {
  /// Grows with time. Names the version within its item.
  package let number: Int64
  /// Nil: it was deleted then.
  package let copy: TodoCopy?
  /// When it became so: by this device's clock for a change made here, else by the server's. Nil when nobody noted it.
  package let madeAt: Date?
  package let origin: Origin

  /// Where the change came from.
  package enum Origin: String, Sendable, Hashable, CaseIterable {
    /// Made on this device.
    case here
    /// Came with a pull, or with a conflict.
    case server
    /// Mine and the server's brought together.
    case merge
  }

  package init(number: Int64, copy: TodoCopy?, madeAt: Date?, origin: Origin) {
    self.number = number
    self.copy = copy
    self.madeAt = madeAt
    self.origin = origin
  }
}
