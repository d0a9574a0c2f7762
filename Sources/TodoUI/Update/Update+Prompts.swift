import OfflineSync
import Terminal
import TodoCore

extension Model {
  /// Takes the answer to what was asked. Whatever is no yes leaves all as it is.
  mutating func answer(_ question: Question, _ command: Command, _ key: Key?) -> [Effect] {
    mode = .list
    switch command {
    case .leave: return leaveNow()
    case .sameList: return startRefresh(.key, refresh.options.with(.sameList))
    case .takeAlong: return startRefresh(.key, refresh.options.with(.takeAlong))
    case .agree: return startRefresh(.key, refresh.options.agreeingToRemoval)
    case .savedFilter: return saveFilter(key)
    default: return command.order.map { sort($0) } ?? []
    }
  }

  /// What waits is sent once more where that is asked for; else leaving is asked about.
  mutating func leave() -> [Effect] {
    if leaveBy != nil { return [.quit] }
    guard pending > 0 || isAhead else { return [.quit] }
    if preferences.automatic.isOn { return leaveNow() }
    mode = .prompt(.leave)
    return []
  }

  /// With changes sent by themselves there is a last short push; whatever becomes of it, the list closes. To ask once
  /// more closes it at once, any other key keeps it open.
  private mutating func leaveNow() -> [Effect] {
    let waits = isAhead || pending > undecided
    guard preferences.automatic.isOn, waits, status?.sync.server != nil else { return [.quit] }
    leaveBy = now.uptime + Self.lastPush
    if refresh.isRunning { return [] }
    var options = RefreshOptions()
    options.pulls = false
    return startRefresh(.automatic, options)
  }

  /// Milliseconds that leaving may take at most.
  static let lastPush = 2_000

  mutating func sort(_ order: TodoOrder) -> [Effect] {
    endRange()
    query.order = order
    return reload() + [.prepare(order, query.view), .remember(.order, order.rawValue)]
  }

  /// Puts a saved filter in place of what is shown now.
  mutating func useFilter(_ key: Key?) -> [Effect] {
    guard let number = key.flatMap({ keymap.number(of: $0, for: .savedFilter) }) else { return [] }
    guard let filter = savedFilters[number] else { return say(.noFilterSaved(number)) }
    notice = nil
    return show(filter: filter)
  }

  /// Keeps the filter under a number; an empty one takes away what was kept there.
  private mutating func saveFilter(_ key: Key?) -> [Effect] {
    guard let number = key.flatMap({ keymap.number(of: $0, for: .savedFilter) }) else { return [] }
    let filter = query.filter.isEmpty ? nil : query.filter
    savedFilters[number] = filter
    notice = filter == nil ? .filterRemoved(number) : .filterSaved(number)
    return [.remember(.savedFilter(number), filter)]
  }
}

extension Command {
  fileprivate var order: TodoOrder? {
    switch self {
    case .sortCreated: .created
    case .sortText: .text
    case .sortDue: .due
    case .sortPriority: .priority
    case .sortUpdated: .updated
    default: nil
    }
  }
}

extension RefreshOptions {
  fileprivate func with(_ change: AccountChange) -> RefreshOptions {
    var options = self
    options.accountChange = change
    return options
  }
}
