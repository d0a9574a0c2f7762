import Terminal
import TodoCore
import Words

extension Announcer {
  /// The place open instead of the list: all of it when it opens, then the chosen entry.
  func place() -> [String] {
    guard after.mode.place == before.mode.place else { return opened() }
    switch (before.mode, after.mode) {
    case (.pane(let old), .pane(let new)): return old == new ? [] : moved(from: old, to: new)
    case (.menu(let old), .menu(let new)): return entry(of: old) == entry(of: new) ? [] : [entry(of: new)]
    case (.conflicts, .conflicts):
      return before.panes.conflicts?.current == after.panes.conflicts?.current ? [] : conflict()
    case (.list, _), (.panel, _), (.editor, _), (.filter, _), (.due, _), (.conflicts, _), (.pane, _), (.menu, _),
      (.paste, _), (.prompt, _):
      return []
    }
  }

  /// The open place, whole.
  func whereOneIs() -> [String] {
    switch after.mode {
    case .pane(let pane): [title] + entry(of: pane)
    case .menu(let menu): menu.isPalette ? [text.text(.paletteTitle), entry(of: menu)] : help(menu)
    case .paste(let pasted): [text.text(.pasteTitle, count: pasted.items.count)] + pasted.items + [keys]
    case .conflicts: conflict() + [keys]
    case .prompt, .list, .panel, .editor, .filter, .due: []
    }
  }

  /// The help turns into what is typed to narrow it down, and back: then only the entry is told.
  private func opened() -> [String] {
    if case .menu = before.mode, case .menu(let menu) = after.mode, !menu.isPalette { return [entry(of: menu)] }
    if before.panes.conflicts != nil, after.mode == .conflicts {
      return before.panes.conflicts?.current == after.panes.conflicts?.current ? [] : conflict()
    }
    return whereOneIs()
  }
}

extension Announcer {
  private func moved(from old: Pane, to new: Pane) -> [String] {
    let (was, words) = (entry(of: old), entry(of: new))
    return was == words && old.position == new.position
      ? [] : [joined([position(in: new), words.first])] + words.dropFirst()
  }

  /// The chosen entry; of the details, which have none, all of it.
  private func entry(of pane: Pane) -> [String] {
    let view = PaneView(pane: pane, hasServer: after.hasServer, brush: brush)
    switch pane {
    case .outbox(let choice, _):
      return choice.current.map { view.whole($0).map(spoken) } ?? [text.text(after.emptyOutbox)]
    case .digest(let choice):
      guard let arrival = choice.current else { return [] }
      let lines = view.whole(arrival).map(spoken)
      return [labelled(text.word(for: arrival.kind), lines.first ?? "")] + lines.dropFirst()
    case .story(_, let choice):
      guard let version = choice.current else { return [] }
      let changes = choice.index + 1 < choice.elements.count ? view.whole(version, in: choice).map(spoken) : []
      return [told(version, view.when(version))] + changes
    case .log(let choice):
      return choice.current.map { [spoken(view.line(of: $0))] + view.whole($0).dropFirst().map(spoken) } ?? []
    case .detail(let detail, _):
      return [detail.item.line]
        + (detail.item.hasNote ? ItemText(detail.item.text).note.split(separator: "\n").map(String.init) : [])
        + DetailView(detail: detail, hasServer: after.hasServer, brush: brush).facts.map { labelled($0.0, $0.1) }
    }
  }

  /// `09:12, server, buy milk, open`
  private func told(_ version: ItemVersion, _ time: String) -> String {
    joined([
      time, text.word(for: version.origin), version.copy.map { ItemText($0.text).line } ?? text.text(.conflictDeleted),
      version.copy.map(text.words(forState:)),
    ])
  }

  private func position(in pane: Pane) -> String? {
    pane.position.map { place in
      text.text(.positionOfTotal, ["position": text.number(place + 1), "total": text.number(pane.total ?? 0)])
    }
  }

  /// Why somebody has to decide, and what each side has.
  private func conflict() -> [String] {
    guard let conflict = after.panes.conflicts?.current else { return [] }
    let fields = conflict.fields.isEmpty ? [.text] : conflict.fields
    let view = ConflictView(browser: after.panes.conflicts, brush: brush)
    let sides = fields.flatMap { field in
      (fields.count > 1 ? [text.name(of: field)] : [])
        + view.sides(field, of: conflict).map { labelled($0.label, $0.words) }
    }
    let merged = conflict.merged.map { words in
      joined([labelled(text.text(.conflictMerged), view.said(words)), text.leftOut(of: conflict).map(view.said)])
    }
    return [title, text.reason(of: conflict)] + sides + [merged].compactMap(\.self)
  }

  /// The commands of the place one was in; those of the others are found by moving on.
  private func help(_ menu: CommandMenu) -> [String] {
    let isPlain = after.screen.preferences.isPlain
    let entries = menu.entries(after.screen.keymap, text).filter {
      $0.place == menu.origin && !(isPlain && $0.command.showsPanel)
    }
    return [text.text(.helpTitle)] + entries.map(line) + [keys]
  }

  private func entry(of menu: CommandMenu) -> String {
    let entries = menu.entries(after.screen.keymap, text)
    guard entries.indices.contains(menu.index) else { return text.text(.menuEmpty) }
    let entry = entries[menu.index]
    return joined([line(entry), entry.place == menu.origin ? nil : text.name(of: entry.place)])
  }

  private func line(_ entry: CommandMenu.Entry) -> String {
    let keys = after.screen.keymap.names(of: entry.command, in: entry.place).joined(separator: " ")
    return labelled(keys, text.help(entry.command))
  }
}
