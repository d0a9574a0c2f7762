import TodoCore
import Words

extension Announcer {
  /// Which items are shown and how many there are, where that changed, and the chosen one.
  ///
  /// While they are counted nothing is told: the count comes a moment later, and then all of it.
  func list() -> [String] {
    guard let matching = after.list.matching, let status = after.sync.status, isInSight(after.mode) else { return [] }
    if before.sync.status == nil { return welcome(status) }
    if after.mode.isFilter {
      if before.list.matching == nil { return [text.text(.spokenItems, count: matching)] }
      return hasMoved && before.list.query == after.list.query ? [row(hasPosition: isCounted)] : []
    }
    let isOther = before.list.matching == nil || before.list.query != after.list.query || before.mode.isFilter
    if isOther { return [headline, row(hasPosition: true)] }
    return isWorthTelling ? [row(hasPosition: isCounted)] : []
  }

  private func welcome(_ status: ListStatus) -> [String] {
    [
      text.text(.welcome, ["list": headline, "help": key(.common(.help))]), spoken(statusLine), row(hasPosition: true),
    ]
  }

  /// `Done, by text, /milk, 3 items`
  var headline: String {
    joined([
      text.text(after.list.query.view.title),
      after.list.query.showsOrder ? text.text(after.list.query.order.title) : nil,
      after.list.query.filter.isEmpty ? nil : "/" + after.list.query.filter,
      after.list.matching.map { text.text(.spokenItems, count: $0) },
    ])
  }

  private func isInSight(_ mode: Mode) -> Bool {
    mode == .list || mode.isFilter
  }

  private var hasMoved: Bool {
    before.list.window.selectedItem?.id != after.list.window.selectedItem?.id
  }

  /// Another row is chosen, one comes back to it, or somebody else changed it.
  private var isWorthTelling: Bool {
    guard let item = after.list.window.selectedItem else { return before.list.window.selectedItem != nil }
    if before.mode.standsForList { return true }
    let change = newChange
    if hasMoved { return change?.kind != .added || change?.texts.last != item.text }
    if change != nil || after.screen.noticeCount != before.screen.noticeCount { return false }
    return !isInSight(before.mode) || before.list.window.selectedItem.map { isOther($0, item) } ?? true
  }

  private func isOther(_ old: TodoItem, _ new: TodoItem) -> Bool {
    old.text != new.text || old.complete != new.complete
  }

  /// True if the place of the row is known to be right: no rows were read since it was counted.
  private var isCounted: Bool {
    guard newChange == nil, after.screen.noticeCount == before.screen.noticeCount else { return false }
    if after.list.window.startsAtFirst { return true }
    let rows = before.list.window.rows
    guard let old = before.list.window.position, let new = after.list.window.position,
      let from = rows.firstIndex(where: { $0.id == before.list.window.selectedItem?.id }),
      let to = rows.firstIndex(where: { $0.id == after.list.window.selectedItem?.id })
    else { return false }
    return new - old == to - from
  }

  /// `3 of 12, buy milk, due today, not yet sent`; what to do when there is none.
  func row(hasPosition: Bool) -> String {
    guard let item = after.list.window.selectedItem else {
      return ListView(list: after.list, editing: nil, pullLine: nil, signs: after.signs, brush: brush).emptyWords
    }
    let notation = TodoNotation(item.line)
    let due = notation.due.map { text.spokenDue($0, today: brush.today, isDone: item.complete) }
    return joined([
      group, hasPosition ? position : nil, notation.textWithoutDue, due, completeness(of: item), state(of: item),
      item.hasNote ? text.text(.hasNote) : nil,
      item.hasArrived ? text.text(.syncArrived) : nil, after.list.marks.contains(item.id) ? text.text(.marked) : nil,
    ])
  }

  /// `Today, 2 items`, where another group begins than the one that was told.
  private var group: String? {
    guard let group = after.list.window.selectedGroup else { return nil }
    let isTold =
      before.list.window.selectedGroup == group && before.list.matching != nil && before.mode == after.mode
      && before.list.query == after.list.query && before != after
    if isTold { return nil }
    let count = after.list.groupCounts[group].map { text.text(.spokenItems, count: $0) }
    return joined([text.name(of: group, today: brush.today), count])
  }

  private var position: String? {
    guard let matching = after.list.matching, let position = after.list.window.position, position < matching else {
      return nil
    }
    return text.text(.positionOfTotal, ["position": text.number(position + 1), "total": text.number(matching)])
  }

  /// Where the view does not tell.
  private func completeness(of item: TodoItem) -> String? {
    after.list.query.view == .all ? text.words(forState: TodoCopy(text: item.text, complete: item.complete)) : nil
  }

  /// A change that was sent without an answer waits like any other, until a refresh here sends it again.
  private func state(of item: TodoItem) -> String? {
    switch item.state {
    case .synced: nil
    case .waiting where !after.hasServer, .inFlight where !after.hasServer: nil
    case .inFlight where !after.sync.refresh.isRunning: text.words(for: .waiting)
    case .waiting, .inFlight, .conflict, .refused: text.words(for: item.state)
    }
  }
}

extension Mode {
  /// The rows are out of sight.
  fileprivate var standsForList: Bool {
    switch self {
    case .conflicts, .pane, .menu: true
    case .list, .panel, .editor, .filter, .due, .paste, .prompt: false
    }
  }

  fileprivate var isFilter: Bool {
    if case .filter = self { true } else { false }
  }
}

extension TodoNotation {
  /// The date is told in words of its own.
  fileprivate var textWithoutDue: String {
    guard let word = words.first(where: { $0.kind == .due }) else { return text }
    return (text[..<word.range.lowerBound] + text[word.range.upperBound...]).split(separator: " ")
      .joined(separator: " ")
  }
}
