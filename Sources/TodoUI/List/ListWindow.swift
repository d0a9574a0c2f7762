import TableProtocol
import TodoCore

/// The rows of the list that are in memory: those on the screen and about a page on either side.
///
/// The list may hold any number of items; only this run of them is ever read. It is moved by reading
/// more at one end and forgetting at the other.
struct ListWindow: Equatable, Sendable {
  private(set) var rows: [TodoItem] = []
  /// The place in `rows` of the chosen row, and of the first one on the screen. 0 when there are no rows.
  private(set) var selected = 0
  private(set) var top = 0
  private(set) var startsAtFirst = true
  private(set) var endsAtLast = true
  /// How many items of the list come before `rows`; nil while not counted.
  private(set) var rank: Int? = 0
  /// Lines on the screen.
  private(set) var height: Int
  /// The grouping of the rows; nil if they have none.
  private(set) var groups: Groups?
  /// The rows that are read next are of another view.
  private var startsAtTop = false
  /// Where a range of marks begins, as a place in `rows`, which it need not be in; nil when none is drawn.
  var anchor: Int?

  init(height: Int) {
    self.height = height
  }

  /// How the rows are grouped on a certain day.
  struct Groups: Equatable, Sendable {
    let grouping: TodoGrouping
    let today: CalendarDay

    func group(of item: TodoItem) -> TodoGroup { grouping.group(of: item, today: today) }
  }

  var selectedItem: TodoItem? {
    rows.indices.contains(selected) ? rows[selected] : nil
  }

  /// The place of the chosen row in the whole list, from 0.
  var position: Int? {
    selectedItem == nil ? nil : rank.map { $0 + selected }
  }

  /// All items of the list, counted; nil when some of them are not in memory.
  var all: Matches? {
    guard startsAtFirst, endsAtLast else { return nil }
    let counts = groups.map { groups in rows.reduce(into: [:]) { $0[groups.group(of: $1), default: 0] += 1 } }
    return Matches(count: rows.count, groups: counts ?? [:])
  }

  /// How many rows one reading asks for.
  var page: Int { height * 2 }

  mutating func move(by rows: Int) {
    selected = max(0, min(self.rows.count - 1, selected + rows))
    showSelected()
  }

  mutating func resize(height: Int) {
    self.height = height
    showSelected()
  }

  /// The rows of a range that is being drawn, from its anchor to the chosen row, as places in `rows`.
  var range: ClosedRange<Int>? {
    anchor.map { min($0, selected)...max($0, selected) }
  }

  /// The list is shown from its other end: the anchor is out of sight, below or above.
  mutating func anchorIsFar(below: Bool) {
    anchor = below ? Int.max / 2 : Int.min / 2
  }

  /// The row does not count as arrived any more.
  mutating func markSeen(_ id: RecordID) {
    for index in rows.indices where rows[index].id == id { rows[index].hasArrived = false }
  }

  /// The rows that are read next are shown from the first one on, if the chosen one is in sight then.
  mutating func startAtTop() { startsAtTop = true }

  /// Some of what is shown depends on the day it is.
  private(set) var showsDates = false

  /// The rows to read so that a page can be turned either way; nil when enough is here.
  var missing: RowRequest? {
    guard let first = rows.first, let last = rows.last else { return nil }
    if !endsAtLast && rows.count - selected <= height { return .below(last, count: page) }
    if !startsAtFirst && selected < height { return .above(first, count: page) }
    return nil
  }
}

// MARK: Answers of the store

extension ListWindow {
  /// Takes in what was read for a request. `anchor` is the item a range begins at.
  mutating func accept(_ page: RowPage, for request: RowRequest, in groups: Groups?, anchor id: RecordID? = nil) {
    let before = selected
    defer {
      if case .around = request { anchor = anchor.map { $0 + selected - before } }
      anchor = id.flatMap { id in rows.firstIndex { $0.id == id } } ?? anchor
    }
    let line = lineOfSelected
    self.groups = groups
    defer { startsAtTop = false }
    switch request {
    case .first: replace(page, selected: 0, line: 0, rank: 0)
    case .last: replace(page, selected: page.rows.count - 1, line: height - 1, rank: nil)
    case .around: follow(page, line: line)
    case .below: append(page)
    case .above: prepend(page)
    }
    showsDates = rows.contains { $0.completedAt != nil || TodoNotation.mentionsDate($0.text) }
  }

  /// The number of items before the row of this id was counted.
  mutating func locate(_ id: RecordID, at position: Int) {
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
    rank = position - index
  }

  /// The day is another one: the same rows stand in other groups.
  mutating func regroup(_ groups: Groups?) {
    self.groups = groups
    showSelected()
  }

  private mutating func replace(_ page: RowPage, selected: Int, line: Int, rank: Int?) {
    rows = page.rows
    startsAtFirst = page.startsAtFirst
    endsAtLast = page.endsAtLast
    self.selected = max(0, min(rows.count - 1, selected))
    top = top(showing: self.selected, within: line + 1)
    self.rank = startsAtFirst ? 0 : rank
    showSelected()
  }

  /// The chosen item keeps its line of the screen, whatever came or went above it. In another view, and if it was the
  /// first of all, the list begins at its top, as long as the item is in sight then.
  private mutating func follow(_ page: RowPage, line: Int) {
    let (before, isAtTop) = (position, startsAtTop || (startsAtFirst && selected == 0))
    replace(page, selected: page.focus, line: line, rank: before.map { $0 - page.focus })
    if isAtTop, startsAtFirst, top(showing: selected, within: height) == 0 { top = 0 }
  }

  private mutating func append(_ page: RowPage) {
    rows += page.rows
    endsAtLast = page.endsAtLast
    let surplus = selected - height * 3
    guard surplus > 0 else { return }
    rows.removeFirst(surplus)
    selected -= surplus
    top -= surplus
    anchor = anchor.map { $0 - surplus }
    rank = rank.map { $0 + surplus }
    startsAtFirst = false
  }

  private mutating func prepend(_ page: RowPage) {
    rows = page.rows + rows
    startsAtFirst = page.startsAtFirst
    selected += page.rows.count
    top += page.rows.count
    anchor = anchor.map { $0 + page.rows.count }
    rank = startsAtFirst ? 0 : rank.map { $0 - page.rows.count }
    let surplus = rows.count - (selected + height * 3)
    guard surplus > 0 else { return }
    rows.removeLast(surplus)
    endsAtLast = false
  }
}

// MARK: Groups

extension ListWindow {
  /// Where the way from group to group leads.
  enum GroupStep: Equatable, Sendable {
    case row(Int)
    /// Past the rows in memory: to the first row of this group, or to the first one after it.
    case start(of: TodoGroup)
    case end(of: TodoGroup)
  }

  /// To the next group; backward to the first row of this one, then of the one before. Nil if there is none.
  func stepToGroup(forward: Bool) -> GroupStep? {
    guard let groups, let group = selectedGroup else { return nil }
    if forward {
      let next = rows[selected...].firstIndex { groups.group(of: $0) != group }
      return next.map(GroupStep.row) ?? (endsAtLast ? nil : .end(of: group))
    }
    let step = stepToStart(ofGroupAt: selected)
    return step == .row(selected) ? (selected > 0 ? stepToStart(ofGroupAt: selected - 1) : nil) : step
  }

  /// The group of the chosen row.
  var selectedGroup: TodoGroup? { selectedItem.flatMap { groups?.group(of: $0) } }

  private func stepToStart(ofGroupAt index: Int) -> GroupStep? {
    guard let groups else { return nil }
    let group = groups.group(of: rows[index])
    let before = rows[..<index].lastIndex { groups.group(of: $0) != group }
    if before == nil && !startsAtFirst { return .start(of: group) }
    return .row(before.map { $0 + 1 } ?? 0)
  }
}

// MARK: Lines

/// A line of the list on the screen.
enum ListLine: Hashable, Sendable {
  /// The row at this place of the window.
  case row(Int)
  case heading(TodoGroup)
  /// Between two groups.
  case gap
}

extension ListWindow {
  /// On a smaller screen no room is spent between groups.
  private static let linesForGaps = 14

  /// The lines from the first row on the screen on. Above it stands the heading of its group, also where the group
  /// began further up, so that one always sees which it is. A single line is for the chosen row. The end of the list
  /// stands at the bottom: where the group above does not fit any more, room is left above and not below.
  func lines(height: Int) -> [ListLine] {
    var lines: [ListLine] = []
    var index = top(showing: selected, within: height, from: top)
    var group: TodoGroup?
    while index < rows.count && lines.count < height {
      if let groups, height > 1 {
        let next = groups.group(of: rows[index])
        if next != group {
          if group != nil && hasGaps { lines.append(.gap) }
          lines.append(.heading(next))
        }
        group = next
      }
      lines.append(.row(index))
      index += 1
    }
    lines.removeLast(max(0, lines.count - height))
    // A heading without a row below it says nothing.
    while case .heading? = lines.last { lines.removeLast() }
    while case .gap? = lines.last { lines.removeLast() }
    if index == rows.count, endsAtLast, case .heading? = lines.first, hasRowsAbove(lines) {
      lines.insert(contentsOf: repeatElement(ListLine.gap, count: height - lines.count), at: 0)
    }
    return lines
  }

  private func hasRowsAbove(_ lines: [ListLine]) -> Bool { rowsAbove(lines).map { $0 > 0 } ?? true }

  /// How many items stand before the first row of these lines; nil while not counted.
  func rowsAbove(_ lines: [ListLine]) -> Int? {
    for case .row(let index) in lines { return rank.map { $0 + index } }
    return rank
  }

  private var hasGaps: Bool { height >= Self.linesForGaps }

  /// The line of the screen that the chosen row stands on.
  private var lineOfSelected: Int {
    lines(height: height).firstIndex(of: .row(selected)) ?? 0
  }

  private mutating func showSelected() {
    top = top(showing: selected, within: height, from: min(top, selected))
    if !rows.isEmpty { top = min(top, top(showing: rows.count - 1, within: height)) }
  }

  /// The first row to begin with, from this one on, so that a row is in sight.
  private func top(showing index: Int, within height: Int, from first: Int = 0) -> Int {
    guard rows.indices.contains(index) else { return 0 }
    var top = index
    let groups = height > 1 ? groups : nil
    var lines = groups == nil ? 1 : 2
    var group = groups?.group(of: rows[index])
    while top > max(0, first) {
      let above = groups?.group(of: rows[top - 1])
      lines += above == group ? 1 : hasGaps ? 3 : 2
      if lines > height { break }
      group = above
      top -= 1
    }
    return top
  }
}
