import Synchronization
import TableProtocol

/// How many of something came within a minute, which begins with the first of them. A clock that steps back begins
/// another.
struct MinuteCount: Sendable {
  private static let minute: Int64 = 60_000

  private(set) var count = 0
  private var began: Timestamp?

  /// Counts one more. True if a minute begins with it.
  mutating func add(at now: Timestamp) -> Bool {
    let isNew = began.map { now < $0 || $0.advanced(byMilliseconds: Self.minute) <= now } ?? true
    if isNew { self = MinuteCount(count: 0, began: now) }
    count += 1
    return isNew
  }

  /// Until the minute is over, rounded up.
  func secondsLeft(at now: Timestamp) -> Int {
    Int((Self.minute - (now.milliseconds - (began ?? now).milliseconds) + 999) / 1_000)
  }
}

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

/// The wrong tokens that came from each address of late.
final class WrongAttempts: Sendable {
  /// From one address in a minute; further ones are not looked at.
  static let mostInAMinute = 10
  /// Addresses that are remembered; then all are forgotten.
  private static let mostAddresses = 10_000

  private let state: Mutex<[String: MinuteCount]> = Mutex([:])

  /// Takes note of one. Returns the seconds that the address has to wait if there were too many.
  func note(_ address: String, at now: Timestamp) -> Int? {
    state.withLock { state in
      if state.count >= Self.mostAddresses { state.removeAll() }
      _ = state[address, default: MinuteCount()].add(at: now)
      guard let attempts = state[address], attempts.count > Self.mostInAMinute else { return nil }
      return attempts.secondsLeft(at: now)
    }
  }
}
