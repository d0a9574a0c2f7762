/// Counts, one for each key. A key takes no room once its count is zero: keys come from clients, without end.
struct CountByKey<Key: Hashable> {
  private var counts: [Key: Int] = [:]

  /// Zero for a key that was not counted, and for nil.
  subscript(key: Key?) -> Int { key.map { counts[$0, default: 0] } ?? 0 }

  /// Does nothing if the key is nil.
  mutating func add(_ number: Int = 1, to key: Key?) {
    guard let key else { return }
    let count = counts[key, default: 0] + number
    counts[key] = count > 0 ? count : nil
  }

  /// Does nothing if the key is nil.
  mutating func remove(_ number: Int = 1, from key: Key?) { add(-number, to: key) }
}
