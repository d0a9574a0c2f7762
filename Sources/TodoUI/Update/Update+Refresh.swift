import TodoCore

extension Model {
  mutating func startRefresh(_ wish: RefreshWish = RefreshWish()) -> [Effect] {
    guard !refresh.isRunning else { return [] }
    refresh.progress = .starting
    refresh.wish = wish
    notice = nil
    return [.refresh(wish)]
  }

  mutating func stopRefresh() -> [Effect] {
    guard refresh.isRunning, refresh.progress != .stopping else { return [] }
    refresh.progress = .stopping
    return [.stopRefresh]
  }

  /// What stands in the way of a refresh is asked in the list alone: elsewhere the keys that are being pressed would
  /// answer. There it is only said, and the next refresh asks.
  mutating func finish(_ result: RefreshResult) -> [Effect] {
    refresh.progress = nil
    refresh.result = result
    if mode == .list, let question = result.failure.flatMap(Question.init) {
      notice = nil
      mode = .prompt(question)
    } else {
      notice = result.failure.map(Notice.refreshFailed)
    }
    return reloadAll()
  }

  /// Takes the answer to what was asked. Whatever is no yes leaves all as it is.
  mutating func answer(_ command: Command) -> [Effect] {
    mode = .list
    switch command {
    case .leave: return [.quit]
    case .sameList: return startRefresh(refresh.wish.with(.sameList))
    case .takeAlong: return startRefresh(refresh.wish.with(.takeAlong))
    case .agree: return startRefresh(refresh.wish.agreeingToRemoval)
    default: return []
    }
  }
}

extension RefreshWish {
  fileprivate func with(_ change: AccountChange) -> RefreshWish {
    var wish = self
    wish.accountChange = change
    return wish
  }
}
