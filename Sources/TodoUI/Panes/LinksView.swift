import Terminal
import Words

/// The question which link is opened, with the addresses behind the numbers of the keys that open them. Those for which
/// there is no number or no room come on further pages, with the numbers from 1 on.
struct LinksView: View {
  let brush: Brush
  private let links: [String]
  /// How many rows there are for the question and its addresses.
  private let rows: Int
  private let page: Int

  /// As many as there are keys.
  private static let mostOnPage = 9

  /// Nil if no link is asked for. Where lines are told instead of shown, the rows of the terminal don't matter.
  init?(_ model: Model, _ brush: Brush, rows: Int) {
    guard case .prompt(.link(let links)) = model.mode else { return nil }
    self.brush = brush
    self.links = links
    self.rows = model.screen.preferences.isPlain ? Int.max : rows
    page = model.panes.previewTop
  }

  /// One row is the question's, and one says how many more there are.
  private var pageLength: Int {
    let most = min(links.count, Self.mostOnPage)
    return links.count < rows ? most : max(1, min(most, rows - 2))
  }

  /// The number of the last page, counted from 0.
  var lastPage: Int { (links.count - 1) / pageLength }

  private var shown: ArraySlice<String> {
    links.dropFirst(min(page, lastPage) * pageLength).prefix(pageLength)
  }

  /// Returns the address that a number opens; nil if the page has none of this number.
  func link(_ number: Int) -> String? { shown.dropFirst(number - 1).first }

  /// The addresses with their numbers, whole.
  var numbered: [String] { shown.enumerated().map { "\($0 + 1) " + Printable.text($1) } }

  /// `and 9 more  j down`; on the last page the way back. Nil if there is one page.
  var pager: Line? {
    if lastPage == 0 { return nil }
    let rest = links.endIndex - shown.endIndex
    let motion = Command.move(rest > 0 ? .down : .up)
    var line = Line(rest > 0 ? text.text(.pasteMore, count: rest) : "", theme.quiet)
    let key = brush.keymap.name(of: motion, in: .linkPrompt)
    if !key.isEmpty {
      line.append((line.columns > 0 ? "  " : "") + key, theme.key)
      line.append(" " + text.hint(motion), theme.quiet)
    }
    return line
  }

  /// The addresses are whole if there is room, else they have a row each.
  func lines(_ question: String) -> [Line] {
    let margin = "  "
    let end = pager.map { [cut($0)] } ?? []
    let whole = numbered.flatMap { link in
      TextWidth.wrap(String(link.dropFirst(margin.count)), columns: columns - margin.count).enumerated().map {
        ($0 == 0 ? String(link.prefix(margin.count)) : margin) + $1
      }
    }
    let fits = 1 + whole.count + end.count <= rows
    let addresses =
      fits ? whole : numbered.map { TextWidth.cut($0, to: columns, ellipsis: glyphs.ellipsis) }
    return Array((([question] + addresses).map { Line($0, theme.notice) } + end).prefix(rows))
  }
}
