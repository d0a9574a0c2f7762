package import FoundationEssentials
package import OfflineSync

/// What an item was at one time, as far as this device has seen it.
package struct ItemVersion: Sendable, Hashable {
  /// Grows with time. Names the version within its item.
  package let number: Int64
  /// Nil: it was deleted then.
  package let copy: TodoCopy?
  /// When it became so: by this device's clock for a change made here, else by the server's. Nil when nobody noted it.
  package let madeAt: Date?
  /// Where the change came from.
  package let origin: RowOrigin

  package init(number: Int64, copy: TodoCopy?, madeAt: Date?, origin: RowOrigin) {
    self.number = number
    self.copy = copy
    self.madeAt = madeAt
    self.origin = origin
  }
}
