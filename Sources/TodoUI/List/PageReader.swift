package import TableProtocol
package import TodoCore

/// A run of rows to be read from the list.
package enum RowRequest: Equatable, Sendable {
  case first(count: Int)
  case last(count: Int)
  case below(TodoItem, count: Int)
  case above(TodoItem, count: Int)
  /// The rows on both sides of an item and the item itself, as it is now. Where it is no longer in the
  /// list: the rows round the place of `orElse`, or round where it was.
  case around(TodoItem, orElse: TodoItem?, count: Int)
}

/// A run of rows that is looked for while the keys go on: a filter that fits few items looks at all of them.
package struct RowSearch: Equatable, Sendable {
  /// Tells it apart from those before it.
  var number: Int
  var query: TodoQuery
  var request: RowRequest
}

/// The rows that were read, in the order of the list.
package struct RowPage: Equatable, Sendable {
  package var rows: [TodoItem]
  package var startsAtFirst: Bool
  package var endsAtLast: Bool
  /// The place in `rows` of the item that was asked for, or of the one that took its place.
  package var focus = 0

  package init(rows: [TodoItem], startsAtFirst: Bool, endsAtLast: Bool, focus: Int = 0) {
    self.rows = rows
    self.startsAtFirst = startsAtFirst
    self.endsAtLast = endsAtLast
    self.focus = focus
  }
}

/// Reads pages of rows. All rows on the screen come from here.
struct PageReader: Sendable {
  let items: @Sendable (TodoQuery, TodoAnchor, Int) throws -> [TodoItem]
  /// The item as it is now; nil when it is gone.
  let item: @Sendable (RecordID) throws -> TodoItem?

  func read(_ request: RowRequest, of query: TodoQuery) throws -> RowPage {
    switch request {
    case .first(let count):
      let rows = try items(query, .first, count)
      return RowPage(rows: rows, startsAtFirst: true, endsAtLast: rows.count < count)
    case .last(let count):
      let rows = try items(query, .last, count)
      return RowPage(rows: rows, startsAtFirst: rows.count < count, endsAtLast: true)
    case .below(let item, let count):
      let rows = try items(query, .after(item), count)
      return RowPage(rows: rows, startsAtFirst: false, endsAtLast: rows.count < count)
    case .above(let item, let count):
      let rows = try items(query, .before(item), count)
      return RowPage(rows: rows, startsAtFirst: rows.count < count, endsAtLast: false)
    case .around(let old, let orElse, let count):
      return try around(old, orElse: orElse, of: query, count: count)
    }
  }

  /// The items a mark request names, in runs, so that any number of them can be marked.
  /// Nil when one end of a range is no longer in the list: then nobody can say what lies between.
  func marks(_ request: MarkRequest, of query: TodoQuery) throws -> [Marked]? {
    switch request {
    case .all: return try run(from: .first, of: query, until: { _ in false })
    case .range(let from, let to):
      let down = try run(from: .after(from), of: query, until: { $0.id == to.id })
      if from.id == to.id { return [Marked(from)] }
      if down.last?.id == to.id { return [Marked(from)] + down }
      let up = try run(from: .after(to), of: query, until: { $0.id == from.id })
      return up.last?.id == from.id ? [Marked(to)] + up : nil
    }
  }

  private func run(from anchor: TodoAnchor, of query: TodoQuery, until isLast: (TodoItem) -> Bool) throws -> [Marked] {
    var marked: [Marked] = []
    var anchor = anchor
    while true {
      let rows = try items(query, anchor, 1_000)
      for row in rows {
        marked.append(Marked(row))
        if isLast(row) { return marked }
      }
      guard rows.count == 1_000, let last = rows.last else { return marked }
      anchor = .after(last)
    }
  }

  private func around(_ old: TodoItem, orElse: TodoItem?, of query: TodoQuery, count: Int) throws -> RowPage {
    if let fresh = try item(old.id) {
      let page = try neighbours(of: fresh, in: query, count: count)
      if page.rows.indices.contains(page.focus), page.rows[page.focus].id == old.id { return page }
    }
    if let orElse { return try around(orElse, orElse: nil, of: query, count: count) }
    return try neighbours(of: old, in: query, count: count)
  }

  /// The rows before the item's place, then the rows from there on: with the item, if the query has it.
  private func neighbours(of item: TodoItem, in query: TodoQuery, count: Int) throws -> RowPage {
    let before = try items(query, .before(item), count)
    let after = try items(query, before.last.map { .after($0) } ?? .first, count)
    return RowPage(
      rows: before + after, startsAtFirst: before.count < count, endsAtLast: after.count < count,
      focus: max(0, after.isEmpty ? before.count - 1 : before.count))
  }
}

/// An item as a mark knows it.
package struct Marked: Equatable, Sendable {
  package let id: RecordID
  package let complete: Bool
  /// The list has it, as it is filtered.
  package let isShown: Bool

  package init(id: RecordID, complete: Bool, isShown: Bool = true) {
    self.id = id
    self.complete = complete
    self.isShown = isShown
  }
}

extension Marked {
  init(_ item: TodoItem, isShown: Bool = true) {
    self.init(id: item.id, complete: item.complete, isShown: isShown)
  }
}
