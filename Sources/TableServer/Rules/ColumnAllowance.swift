import Synchronization
import TableProtocol
import TableStorage

/// How many columns clients may still add: a table has room for few, and for good.
final class ColumnAllowance: Sendable {
  private static let hour: Int64 = 3_600_000

  private let mostInAnHour: Int
  private let added: Mutex<[Timestamp]> = Mutex([])

  init(mostInAnHour: Int) { self.mostInAnHour = mostInAnHour }

  /// Throws if so many more would be too many in an hour. A transaction that is undone gives none back.
  func take(_ count: Int, now: Timestamp) throws(RequestError) {
    let isAllowed = added.withLock { added in
      added.removeAll { $0.advanced(byMilliseconds: Self.hour) <= now }
      guard added.count + count <= mostInAnHour else { return false }
      added += Array(repeating: now, count: count)
      return true
    }
    guard isAllowed else { throw .property(.tooManyNew(mostInAnHour)) }
  }
}

/// One allowance for each owner of lists, so that nobody uses up that of another. Those who need not sign in share one.
final class ColumnAllowances: Sendable {
  private let mostInAnHour: Int
  private let allowances: Mutex<[UserName?: ColumnAllowance]> = Mutex([:])

  init(mostInAnHour: Int) { self.mostInAnHour = mostInAnHour }

  func allowance(of owner: UserName?) -> ColumnAllowance {
    allowances.withLock { allowances in
      let allowance = allowances[owner] ?? ColumnAllowance(mostInAnHour: mostInAnHour)
      allowances[owner] = allowance
      return allowance
    }
  }
}
