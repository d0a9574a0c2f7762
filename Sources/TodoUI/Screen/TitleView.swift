import Terminal
import TodoCore
import Words

/// The title: the views as tabs with how many items each has, through which filter and in which order the list is
/// shown, and at the right the state of the sync.
struct TitleView: View {
  let line: Line
  let brush: Brush
  private let places: [TabPlace]

  /// One of the tabs.
  private struct Tab {
    var name: String
    var count = ""
    /// Nil for what stands in place of the list.
    var view: TodoView?
    var isActive = false
  }

  init(model: Model, brush: Brush) {
    self.brush = brush
    let status = StatusView(sync: model.sync, size: model.screen.size, hasServer: model.hasServer, brush: brush)
    let (tabs, extras) = Self.tabs(of: model, brush)
    let builder = Builder(brush: brush, extras: extras)
    (line, places) = builder.layout(tabs, status.forms)
  }

  /// The view whose tab is there; nil beside the tabs.
  func view(atColumn column: Int) -> TodoView? {
    places.first { $0.columns.contains(column) }?.view
  }

  /// The tabs, and what is said of the list beside them.
  private static func tabs(of model: Model, _ brush: Brush) -> ([Tab], extras: [Line]) {
    let text = brush.text
    let isList = paneName(model, text) == nil
    var tabs = TodoView.allCases.map { view in
      let isActive = isList && view == model.list.query.view
      return Tab(
        name: text.text(view.title), count: isActive ? activeCount(model, text) : count(of: view, model, text),
        view: view, isActive: isActive)
    }
    if let name = paneName(model, text) { tabs.append(Tab(name: name, count: paneCount(model, text), isActive: true)) }
    guard isList else { return (tabs, []) }
    let query = model.list.query
    var extras: [Line] = []
    if !query.filter.isEmpty { extras.append(Line("/" + query.filter, brush.theme.project)) }
    if let (number, filter) = model.list.saved.replacing(model.list.query.filter) {
      let words = text.text(.filterReplaces, ["number": String(number), "filter": filter])
      extras.append(Line(words, brush.theme.quiet))
    }
    if query.showsOrder { extras.append(Line(text.text(query.order.title), brush.theme.quiet)) }
    return (tabs, extras)
  }

  private static func count(of view: TodoView, _ model: Model, _ text: Catalogue) -> String {
    model.list.viewCounts[view].map(text.number) ?? ""
  }

  /// `2/6` through a filter.
  private static func activeCount(_ model: Model, _ text: Catalogue) -> String {
    guard let matching = model.list.matching else { return "" }
    guard !model.list.query.filter.isEmpty else { return text.number(matching) }
    return text.number(matching) + "/" + text.number(model.list.overall ?? matching)
  }

  /// The name of what stands in place of the list.
  private static func paneName(_ model: Model, _ text: Catalogue) -> String? {
    switch model.mode {
    case .menu(let menu): text.text(menu.isPalette ? .paletteTitle : .helpTitle)
    case .pane(let pane): name(of: pane, text)
    case .paste(let pasted): text.text(.pasteTitle, count: pasted.items.count)
    case .list, .panel, .editor, .filter, .due, .conflicts, .prompt:
      model.panes.conflicts == nil ? nil : text.text(.conflictsTitle)
    }
  }

  private static func name(of pane: Pane, _ text: Catalogue) -> String {
    switch pane {
    case .outbox: text.text(.outboxTitle)
    case .digest: text.text(.digestTitle)
    case .story(let item, _): text.text(.storyTitle, ["text": item.line])
    case .detail: text.text(.detailTitle)
    case .log: text.text(.logTitle)
    }
  }

  /// The name of the place open instead of the list, and the position in it: `To decide, 1 of 2`.
  static func spokenTitle(of model: Model, _ brush: Brush) -> String {
    let place = NoticeView(model: model, brush: brush).position
    return [paneName(model, brush.text) ?? "", place].filter { !$0.isEmpty }.joined(
      separator: brush.text.text(.listSeparator))
  }

  private static func paneCount(_ model: Model, _ text: Catalogue) -> String {
    switch model.mode {
    case .pane(let pane): pane.total.map(text.number) ?? ""
    case .menu, .paste: ""
    case .list, .panel, .editor, .filter, .due, .conflicts, .prompt:
      model.panes.conflicts.map { text.number($0.conflicts.count) } ?? ""
    }
  }
}

extension TitleView {
  /// Finds the longest forms of both sides that fit in one row.
  private struct Builder: View {
    let brush: Brush
    let extras: [Line]

    /// Which of the tabs there is room for.
    private enum Tabs: CaseIterable {
      case all, withoutCounts, active
    }

    func layout(_ tabs: [Tab], _ forms: some BidirectionalCollection<Line>) -> (Line, [TabPlace]) {
      for shown in Tabs.allCases {
        let (left, places) = self.left(tabs, shown)
        // How the connection is comes before tabs that are not shown.
        let forms = shown == .active ? Array(forms) : Array(forms.dropLast())
        for right in forms where left.columns + Self.gap + right.columns + 1 <= columns || right.columns == 0 {
          guard left.columns <= columns else { break }
          return (joined(left, right), places)
        }
      }
      let (left, places) = self.left(tabs, .active)
      return (joined(left, forms.last ?? Line()), places)
    }

    private static let gap = 2

    private func joined(_ left: Line, _ right: Line) -> Line {
      let edge = right.columns > 0 ? 1 : 0
      var line = left.cut(to: max(0, columns - right.columns - edge * Self.gap), ellipsis: glyphs.ellipsis)
      line.pad(to: columns - right.columns - edge)
      line.append(right)
      return bar(cut(line))
    }

    private func left(_ tabs: [Tab], _ shown: Tabs) -> (Line, [TabPlace]) {
      var line = Line()
      var places: [TabPlace] = []
      for tab in tabs where shown != .active || tab.isActive {
        if line.columns > 0 { line.append(" ") }
        let start = line.columns
        append(tab, to: &line, hasCount: shown == .all || tab.isActive)
        if let view = tab.view { places.append(TabPlace(view: view, columns: start..<line.columns)) }
      }
      for extra in extras {
        line.append("  ")
        line.append(extra)
      }
      return (line, places)
    }

    /// ` Agenda 42 `; in ASCII the active one stands in brackets.
    private func append(_ tab: Tab, to line: inout Line, hasCount: Bool) {
      let isBracketed = tab.isActive && brush.charset == .ascii
      if tab.isActive {
        line.append(isBracketed ? "[" : " ", isBracketed ? theme.tab : .plain)
        line.append(tab.name, theme.tab)
        line.append(hasCount && !tab.count.isEmpty ? " " + tab.count : "", .plain)
        line.append(isBracketed ? "]" : " ", isBracketed ? theme.tab : .plain)
      } else {
        let count = hasCount && !tab.count.isEmpty ? " " + tab.count : ""
        line.append(" " + tab.name + count + " ", theme.quiet)
      }
    }
  }
}

/// The columns in which a view's tab stands.
private struct TabPlace {
  let view: TodoView
  let columns: Range<Int>
}

/// The title of the window: the list and the number of changes that wait.
struct WindowTitle: Equatable {
  let view: TodoView
  let count: Int?
  let toSend: Int
  let undecided: Int

  /// Nil before anything was counted: until then the title stays.
  init?(_ model: Model) {
    guard model.sync.status != nil else { return nil }
    view = model.list.query.view
    count = model.list.viewCounts[view]
    toSend = model.hasServer ? model.sync.toSend : 0
    undecided = model.hasServer ? model.sync.undecided : 0
  }

  /// `Ebb: Agenda 42 · ↑3 ≠1`
  func text(_ model: Model) -> String {
    let words = model.screen.preferences.catalogue
    let glyphs = Glyphs.of(model.screen.charset)
    let name = [words.text(view.title), count.map(words.number)].compactMap(\.self).joined(separator: " ")
    let signs = [(glyphs.waiting, toSend), (glyphs.conflict, undecided)].filter { $0.1 > 0 }
    let waiting = signs.map { $0.0 + words.number($0.1) }.joined(separator: " ")
    return "Ebb: " + [name, waiting].filter { !$0.isEmpty }.joined(separator: glyphs.separator)
  }
}

extension TodoView {
  var title: StringKey {
    switch self {
    case .agenda: .viewAgenda
    case .open: .viewOpen
    case .all: .viewAll
    case .done: .viewDone
    }
  }
}

extension TodoQuery {
  /// The order is one that was chosen, and not the view's own.
  var showsOrder: Bool { view != .agenda && order != .created && order != .finished }
}

extension TodoOrder {
  var title: StringKey {
    switch self {
    case .created: .orderCreated
    case .text: .orderText
    case .due: .orderDue
    case .priority: .orderPriority
    case .project: .orderProject
    case .updated, .finished: .orderUpdated
    }
  }
}
