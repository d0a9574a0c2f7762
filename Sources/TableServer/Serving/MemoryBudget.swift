import Synchronization
import TableStorage

/// So many bytes that many may use together, and one of them half of it: nobody can keep all others out.
final class MemoryBudget: Sendable {
  private let most: Int
  private let used = Mutex(Used())

  private struct Used {
    var total = 0
    var byOwner = CountByKey<Owner>()
  }

  /// Who uses a share. If no token is needed, all clients are one owner, who may use all of it.
  enum Owner: Hashable, Sendable {
    case user(UserName)
    /// All clients without a token.
    case strangers
  }

  init(_ most: Int) { self.most = most }

  /// Bytes that were taken and are given back when nobody holds this any more.
  final class Share: Sendable {
    private let budget: MemoryBudget
    private let owner: Owner?
    private let bytes: Mutex<Int>

    fileprivate init(_ budget: MemoryBudget, _ bytes: Int, of owner: Owner?) {
      self.budget = budget
      self.owner = owner
      self.bytes = Mutex(bytes)
    }

    /// Takes more. False if there is not so much left.
    func grow(by more: Int) -> Bool {
      guard budget.take(more, for: owner) else { return false }
      bytes.withLock { $0 += more }
      return true
    }

    deinit { budget.giveBack(bytes.withLock { $0 }, of: owner) }
  }

  /// Nil if there is not so much left.
  func share(_ bytes: Int = 0, of owner: Owner? = nil) -> Share? {
    take(bytes, for: owner) ? Share(self, bytes, of: owner) : nil
  }

  private func take(_ bytes: Int, for owner: Owner?) -> Bool {
    used.withLock { used in
      guard bytes <= most - used.total, owner == nil || bytes <= most / 2 - used.byOwner[owner] else { return false }
      used.total += bytes
      used.byOwner.add(bytes, to: owner)
      return true
    }
  }

  private func giveBack(_ bytes: Int, of owner: Owner?) {
    guard bytes > 0 else { return }
    used.withLock { used in
      used.total -= bytes
      used.byOwner.remove(bytes, from: owner)
    }
  }
}

extension Visitor {
  /// Nil for whoever need not sign in.
  var budgetOwner: MemoryBudget.Owner? { user.map { .user($0) } }
}
