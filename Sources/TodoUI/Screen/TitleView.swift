import Terminal
import TodoCore
import Words

/// The title: what is shown, and how much of it.
struct TitleView: View {
  let model: Model
  let brush: Brush

  /// Which items are shown, through which filter, in which order, and how many there are.
  func line() -> Line {
    switch model.mode {
    case .menu(let menu): return menuTitle(menu)
    case .pane(let pane): return paneTitle(pane)
    case .paste(let pasted): return cut(named(text.text(.pasteTitle, count: pasted.lines.count)))
    case .list, .editor, .filter, .due, .conflicts, .prompt: break
    }
    if let browser = model.panes.conflicts { return conflictsTitle(browser) }
    var left = Line(text.text(model.list.query.view.title), theme.title)
    if model.list.query.order != .created { left.append("  " + text.text(model.list.query.order.title), theme.quiet) }
    if !model.list.query.filter.isEmpty { left.append("  /" + model.list.query.filter, theme.project) }
    return row(left, right: Line(count))
  }

  private func menuTitle(_ menu: CommandMenu) -> Line {
    row(Line(text.text(menu.isPalette ? .paletteTitle : .helpTitle), theme.title), right: Line())
  }

  private func paneTitle(_ pane: Pane) -> Line {
    switch pane {
    case .outbox(let choice, let total): titled(.outboxTitle, of(choice.index, total))
    case .digest(let choice): titled(.digestTitle, of(choice.index, choice.elements.count))
    case .story(let item, let choice):
      row(named(text.text(.storyTitle, ["text": item.text])), right: Line(of(choice.index, choice.elements.count)))
    case .detail: titled(.detailTitle, "")
    case .log(let choice): titled(.logTitle, of(choice.index, choice.elements.count))
    }
  }

  private func conflictsTitle(_ browser: ConflictBrowser) -> Line {
    titled(.conflictsTitle, of(browser.index, browser.conflicts.count))
  }

  private func titled(_ key: StringKey, _ right: String) -> Line {
    row(named(text.text(key)), right: Line(right))
  }

  private func named(_ name: String) -> Line { Line(name, theme.title) }

  private func of(_ index: Int, _ total: Int) -> String {
    text.text(.positionOfTotal, ["position": String(index + 1), "total": String(total)])
  }

  /// `12/340` through a filter, `17 of 340` without one; how many are marked; empty until counted.
  private var count: String {
    let marked = markedCount
    let words = marked > 0 ? text.text(.markedCount, count: marked) + glyphs.separator : ""
    guard let matching = model.list.matching else { return words }
    if !model.list.query.filter.isEmpty { return words + "\(matching)/\(model.list.overall ?? matching)" }
    guard let position = model.list.window.position, position < matching else { return words + String(matching) }
    return words + of(position, matching)
  }

  /// A range counts as far as its rows are in memory.
  private var markedCount: Int {
    let rows = model.list.window.rows
    guard let range = model.list.window.range, !rows.isEmpty else { return model.list.marks.items.count }
    let inside = range.clamped(to: 0...rows.count - 1)
    return model.list.marks.items.count + rows[inside].count { !model.list.marks.contains($0.id) }
  }
}

extension TodoView {
  var title: StringKey {
    switch self {
    case .open: .viewOpen
    case .all: .viewAll
    case .done: .viewDone
    }
  }
}

extension TodoOrder {
  var title: StringKey {
    switch self {
    case .created: .orderCreated
    case .text: .orderText
    case .due: .orderDue
    case .priority: .orderPriority
    case .updated: .orderUpdated
    }
  }
}
