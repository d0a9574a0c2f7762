import Terminal
import TodoCore

extension ViewContext {
  /// Which items are shown, through which filter, and how many there are.
  func title() -> Line {
    if case .help = model.mode { return cut(Line(text.text(.helpTitle), Style(bold: true))) }
    if let deciding = model.deciding { return conflictsTitle(deciding) }
    var left = Line(text.text(viewName), Style(bold: true))
    if !model.query.filter.isEmpty { left.append("  /" + model.query.filter, Style(color: .cyan)) }
    return row(left, right: Line(count))
  }

  private func conflictsTitle(_ deciding: Deciding) -> Line {
    let count = text.text(
      .positionOfTotal, ["position": String(deciding.index + 1), "total": String(deciding.conflicts.count)])
    return row(Line(text.text(.conflictsTitle), Style(bold: true)), right: Line(count))
  }

  private var viewName: StringKey {
    switch model.query.view {
    case .open: .viewOpen
    case .all: .viewAll
    case .done: .viewDone
    }
  }

  /// `12/340` through a filter, `17 of 340` without one; empty until counted.
  private var count: String {
    guard let matching = model.matching else { return "" }
    if !model.query.filter.isEmpty { return "\(matching)/\(model.overall ?? matching)" }
    guard let position = model.window.position, position < matching else { return String(matching) }
    return text.text(.positionOfTotal, ["position": String(position + 1), "total": String(matching)])
  }
}
