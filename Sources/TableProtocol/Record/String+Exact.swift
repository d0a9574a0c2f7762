import Glibc

extension String {
  /// True if both texts have the same code points (offline-sync Q25). `==` also takes an accented letter and its two
  /// parts for one.
  package func isExactly(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (left, right) = (self, other)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return memcmp(left, right, other.utf8.count) == 0
      }
    }
  }

  /// Hashes what ``isExactly(_:)`` compares.
  package func hashExactly(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
