import Terminal
import TodoCore

/// Takes in what happened, and when, and says what is to be done about it. Pure: the same model and message give the
/// same answer.
func update(_ model: inout Model, _ message: Message, at now: Now) -> [Effect] {
  model.now = now
  return model.take(message)
}

/// What is read before the first paint. All else comes after it.
func firstEffects(_ model: Model) -> [Effect] {
  [.read(model.query, .first(count: model.window.page))]
}

extension Model {
  fileprivate mutating func take(_ message: Message) -> [Effect] {
    switch message {
    case .key(let key): return press(key)
    case .mouse(let event): return point(event)
    case .resized(let size): return resize(size)
    case .painted: return begin()
    case .tick: return tick()
    case .storeChanged: return hearOfChange()
    case .rowsRead(let request, let page): return accept(page, for: request)
    case .found(let search, let page): return accept(page, for: search)
    case .added(let items): return follow(added: items)
    case .changed(let count): return hearChange(of: count)
    case .reversed(let direction, let reversal, let item): return hear(direction, reversal, item)
    case .conflictsRead(let conflicts): return accept(conflicts)
    case .resolved(let count, let changed): return settle(count, changed: changed)
    case .overtaken(let text): return showOvertaken(by: text)
    case .failed(let reason):
      lastChange.fail()
      afterChange = nil
      return say(.trouble(reason))
    case .marksRead(let marked, let command): return accept(marked, then: command)
    case .arrivalFound(let item): return goTo(arrival: item)
    case .paneRead(let content): return accept(content)
    case .memoryRead(let memory): return accept(memory)
    case .completionsRead(let prefix, let words): return accept(words, completing: prefix)
    case .refresh(let event): return hear(event)
    case .verified(let event): return hear(event)
    case .counted(let counts): return take(counts)
    }
  }

  /// Says it in the line kept for that; what was said before makes room.
  mutating func say(_ notice: Notice) -> [Effect] {
    self.notice = notice
    return []
  }

  /// The first frame is on the screen.
  private mutating func begin() -> [Effect] {
    isPainted = true
    automatic.launch(preferences.automatic, at: now.uptime)
    return countList() + [.readMemory]
  }

  private mutating func resize(_ size: Size) -> [Effect] {
    self.size = size
    window.resize(height: Model.listHeight(size))
    return readMissing()
  }

  private mutating func take(_ counts: ListCounts) -> [Effect] {
    noteChanges(before: status?.sync, after: counts.status.sync)
    status = counts.status
    isAhead = false
    guard counts.query == query else { return [] }
    matching = counts.matching
    overall = counts.overall
    if let item = counts.located, let position = counts.position { window.locate(item.id, at: position) }
    return []
  }
}
