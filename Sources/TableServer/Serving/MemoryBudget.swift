import Synchronization

/// So many bytes that many may use together.
final class MemoryBudget: Sendable {
  private let most: Int
  private let used = Mutex(0)

  init(_ most: Int) { self.most = most }

  /// Bytes that were taken and are given back when nobody holds this any more.
  final class Share: Sendable {
    private let budget: MemoryBudget
    private let bytes: Mutex<Int>

    fileprivate init(_ budget: MemoryBudget, _ bytes: Int) {
      self.budget = budget
      self.bytes = Mutex(bytes)
    }

    /// Takes more. False if there is not so much left.
    func grow(by more: Int) -> Bool {
      guard budget.take(more) else { return false }
      bytes.withLock { $0 += more }
      return true
    }

    deinit {
      let bytes = bytes.withLock { $0 }
      budget.used.withLock { $0 -= bytes }
    }
  }

  /// Nil if there is not so much left.
  func share(_ bytes: Int = 0) -> Share? {
    take(bytes) ? Share(self, bytes) : nil
  }

  private func take(_ bytes: Int) -> Bool {
    used.withLock { used in
      guard bytes <= most - used else { return false }
      used += bytes
      return true
    }
  }
}
