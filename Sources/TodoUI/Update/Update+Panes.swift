import TableProtocol
import TodoCore

extension Model {
  mutating func performIn(_ pane: Pane, _ command: Command) -> [Effect] {
    if let step = Step(command, page: paneHeight) {
      var pane = pane
      pane.move(step, height: paneHeight)
      mode = .pane(pane)
      return []
    }
    switch (command, pane) {
    case (.refresh, _): return startRefresh(.key)
    case (.editChange, .outbox(let choice, _)): return edit(choice.current)
    case (.dropChange, .outbox(let choice, _)): return drop(choice.current)
    case (.goTo, .digest(let choice)): return goTo(choice.current)
    case (.restoreVersion, .story(let item, let choice)): return restore(choice, of: item)
    case (.story, .detail(let detail, _)): return [.readPane(.story(id: detail.item.id))]
    default: return close(pane)
    }
  }

  /// Asked for in the list, what was read opens; later it takes the place of what is looked at.
  mutating func accept(_ content: PaneContent) -> [Effect] {
    if case .pane(let pane) = mode, content != .gone {
      if pane.request == .outbox, let nothing = content.nothing {
        mode = .list
        return say(nothing)
      }
      mode = .pane(pane.replaced(with: content, height: paneHeight) ?? Pane(content) ?? pane)
      return []
    }
    guard mode == .list else { return closePaneOfGone(content) }
    if let nothing = content.nothing { return say(nothing) }
    guard let pane = Pane(content) else { return [] }
    notice = nil
    mode = .pane(pane)
    return []
  }

  /// What is looked at may have changed.
  func reloadPane() -> [Effect] {
    guard case .pane(let pane) = mode else { return [] }
    return pane.request.map { [.readPane($0)] } ?? []
  }

  func findArrival(backward: Bool) -> [Effect] {
    [.findArrival(query, from: window.selectedItem, backward: backward)]
  }

  mutating func goTo(arrival item: TodoItem?) -> [Effect] {
    if let old = window.selectedItem, old.hasArrived, old.id != item?.id { noteSeen(old.id) }
    guard let item else { return say(.nothingArrived) }
    return [.read(query, .around(item, orElse: nil, count: window.page))]
  }

  mutating func noteSeen(_ id: RecordID) {
    seen.append(id)
    seenSince = now.uptime
    window.markSeen(id)
  }

  /// Having read what changed is having seen it.
  private mutating func close(_ pane: Pane) -> [Effect] {
    mode = .list
    if case .digest(let choice) = pane { return [.markSeen(choice.elements.map(\.id))] }
    return []
  }

  private mutating func closePaneOfGone(_ content: PaneContent) -> [Effect] {
    guard case .pane = mode, content == .gone else { return [] }
    mode = .list
    return []
  }

  /// The item is edited where it stands in the list.
  private mutating func edit(_ change: WaitingChange?) -> [Effect] {
    guard let change, let after = change.after else { return [] }
    let effects = edit(.item(id: change.id, seen: after.text), after.text)
    return [.read(query, .around(TodoItem(id: change.id, text: after.text), orElse: nil, count: window.page))] + effects
  }

  private mutating func drop(_ change: WaitingChange?) -> [Effect] {
    guard let change else { return [] }
    lastChange.request(.dropped, [])
    afterChange = .dropped
    return [.drop(id: change.id)]
  }

  private mutating func goTo(_ arrival: Arrival?) -> [Effect] {
    guard let arrival, let after = arrival.after else { return [] }
    mode = .list
    // It has to be in sight to be gone to.
    if query.view != .all && after.complete != (query.view == .done) { query.view = .all }
    query.filter = ""
    (matching, overall) = (nil, nil)
    let item = TodoItem(id: arrival.id, text: after.text)
    return [.read(query, .around(item, orElse: window.selectedItem, count: window.page))]
  }

  /// The present version is what the item is already.
  private mutating func restore(_ choice: Choice<ItemVersion>, of item: TodoItem) -> [Effect] {
    guard choice.index > 0, let version = choice.current else { return [] }
    lastChange.request(.restored, [])
    afterChange = .restored
    return [.restore(id: item.id, number: version.number)]
  }
}

extension PaneContent {
  /// What is said instead of opening nothing.
  fileprivate var nothing: Notice? {
    switch self {
    case .outbox(let changes, _): changes.isEmpty ? .outboxEmpty : nil
    case .digest(let arrivals): arrivals.isEmpty ? .nothingArrived : nil
    case .log(let requests): requests.isEmpty ? .logEmpty : nil
    case .story, .detail, .gone: nil
    }
  }
}

extension Pane {
  /// What it is read with again; nil for one that stays as it was opened.
  var request: PaneRequest? {
    switch self {
    case .outbox: .outbox
    case .digest: nil
    case .story(let item, _): .story(id: item.id)
    case .detail(let detail, _): .detail(id: detail.item.id)
    case .log: .log
    }
  }

  init?(_ content: PaneContent) {
    switch content {
    case .outbox(let changes, let total): self = .outbox(Choice(changes), total: total)
    case .digest(let arrivals): self = .digest(Choice(arrivals))
    case .story(let item, let versions): self = .story(item, Choice(versions))
    case .detail(let detail): self = .detail(detail, from: 0)
    case .log(let requests): self = .log(Choice(requests))
    case .gone: return nil
    }
  }

  /// The same pane with what was read anew; nil when it is another one.
  func replaced(with content: PaneContent, height: Int) -> Pane? {
    switch (self, content) {
    case (.outbox(var choice, _), .outbox(let changes, let total)):
      choice.replace(with: changes, height: height) { $0.id == $1.id }
      return .outbox(choice, total: total)
    case (.story(_, var choice), .story(let item, let versions)):
      choice.replace(with: versions, height: height) { $0.number == $1.number }
      return .story(item, choice)
    case (.log(var choice), .log(let requests)):
      choice.replace(with: requests, height: height, isSame: ==)
      return .log(choice)
    case (.detail(_, let line), .detail(let detail)): return .detail(detail, from: line)
    default: return nil
    }
  }
}
