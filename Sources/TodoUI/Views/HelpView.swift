import Terminal

/// The help: every command of the table, with its keys, place by place.
struct HelpView {
  let text: Catalogue

  /// How many lines it has, in any language and any width.
  static var lineCount: Int {
    sections.reduce(0) { $0 + entries(in: $1.place).count + 2 } - 1
  }

  func lines(from first: Int, height: Int, _ view: ViewContext) -> [Line] {
    var lines = Array(all(columns: view.columns).dropFirst(first).prefix(height)).map(view.cut)
    while lines.count < height { lines.append(Line()) }
    return lines
  }

  private static let sections: [(place: Place, title: StringKey)] = [
    (.list, .helpInList), (.typing, .helpInTyping), (.conflicts, .helpInConflicts), (.help, .helpInHelp),
    (.quitPrompt, .helpInQuitPrompt), (.accountPrompt, .helpInAccountPrompt), (.removalPrompt, .helpInRemovalPrompt),
  ]

  private static func entries(in place: Place) -> [CommandEntry] {
    CommandTable.entries.filter { $0.places.contains(place) }
  }

  private func all(columns: Int) -> [Line] {
    let sections = Self.sections.map { section in
      [Line(text.text(section.title), Style(bold: true, underline: true))]
        + Self.entries(in: section.place).map { line($0, keyColumns: columns >= 60 ? 24 : 16) }
    }
    return Array(sections.joined(separator: [Line()]))
  }

  private func line(_ entry: CommandEntry, keyColumns: Int) -> Line {
    var line = Line("  " + entry.keys.map(KeyName.text).joined(separator: " "), Style(bold: true))
    line.pad(to: keyColumns)
    line.append(" " + text.text(entry.help))
    return line
  }
}
