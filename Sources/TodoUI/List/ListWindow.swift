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
  /// Rows on the screen.
  private(set) var height: Int
  /// Where a range of marks begins, as a place in `rows`, which it need not be in; nil when none is drawn.
  var anchor: Int?

  init(height: Int) {
    self.height = height
  }

  var selectedItem: TodoItem? {
    rows.indices.contains(selected) ? rows[selected] : nil
  }

  /// The place of the chosen row in the whole list, from 0.
  var position: Int? {
    selectedItem == nil ? nil : rank.map { $0 + selected }
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

  /// What has to be read so that a page can be turned either way; nil when enough is here.
  var missing: RowRequest? {
    guard let first = rows.first, let last = rows.last else { return nil }
    if !endsAtLast && rows.count - selected <= height { return .below(last, count: page) }
    if !startsAtFirst && selected < height { return .above(first, count: page) }
    return nil
  }

  /// Takes in what was read for a request. `anchor` is the item a range begins at.
  mutating func accept(_ page: RowPage, for request: RowRequest, anchor id: RecordID? = nil) {
    let before = selected
    defer {
      if case .around = request { anchor = anchor.map { $0 + selected - before } }
      anchor = id.flatMap { id in rows.firstIndex { $0.id == id } } ?? anchor
    }
    switch request {
    case .first: replace(page, selected: 0, screenRow: 0, rank: 0)
    case .last: replace(page, selected: page.rows.count - 1, screenRow: height - 1, rank: nil)
    case .around: follow(page)
    case .below: append(page)
    case .above: prepend(page)
    }
  }

  /// The number of items before the row of this id was counted.
  mutating func locate(_ id: RecordID, at position: Int) {
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
    rank = position - index
  }

  private mutating func replace(_ page: RowPage, selected: Int, screenRow: Int, rank: Int?) {
    rows = page.rows
    startsAtFirst = page.startsAtFirst
    endsAtLast = page.endsAtLast
    self.selected = max(0, min(rows.count - 1, selected))
    top = self.selected - screenRow
    self.rank = startsAtFirst ? 0 : rank
    showSelected()
  }

  /// The chosen item keeps its row of the screen, whatever came or went above it.
  private mutating func follow(_ page: RowPage) {
    let before = position
    replace(page, selected: page.focus, screenRow: selected - top, rank: before.map { $0 - page.focus })
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

  private mutating func showSelected() {
    top = min(top, selected)
    top = max(top, selected - height + 1)
    top = max(0, min(top, max(0, rows.count - height)))
  }
}
