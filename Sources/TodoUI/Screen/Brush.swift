import FoundationEssentials
import Terminal
import TodoCore
import Words

/// The drawing tools of every view: the words, the styles and signs, and the room there is.
struct Brush {
  let text: Catalogue
  let theme: Theme
  let glyphs: Glyphs
  let charset: Charset
  let keymap: Keymap
  private(set) var columns: Int
  let now: Now
  /// The day it is here.
  let today: CalendarDay
  /// The day from which dates in the text that is typed count.
  let typedOn: CalendarDay

  init(_ screen: Screen) {
    self.init(screen, Glyphs.of(screen.charset), columns: screen.size.columns)
  }

  /// For what is told instead of shown: nothing is cut or wrapped, and there are no signs.
  init(telling screen: Screen) {
    let separator = screen.preferences.catalogue.text(.listSeparator)
    self.init(screen, Glyphs.told(separator: separator), columns: 100_000)
  }

  /// The same for a part of the screen.
  func narrowed(to columns: Int) -> Brush {
    var brush = self
    brush.columns = columns
    return brush
  }

  private init(_ screen: Screen, _ glyphs: Glyphs, columns: Int) {
    text = screen.preferences.catalogue
    theme = screen.preferences.theme
    self.glyphs = glyphs
    charset = screen.charset
    keymap = screen.keymap
    self.columns = columns
    now = screen.now
    today = screen.today
    typedOn = screen.typedOn
  }
}

/// A part of the screen. It takes what it shows and the brush, and makes lines of them.
protocol View {
  var brush: Brush { get }
}

extension View {
  var text: Catalogue { brush.text }
  var theme: Theme { brush.theme }
  var glyphs: Glyphs { brush.glyphs }
  var columns: Int { brush.columns }

  /// The name of the key of a command of the list.
  func key(_ command: Command) -> String {
    brush.keymap.name(of: command, in: .list)
  }

  /// A moment as the clock on the wall shows it, with the date where that is not today's.
  func time(_ date: Date) -> String {
    LocalMoment(date).text(today: LocalMoment(brush.now.date))
  }

  func cut(_ line: Line) -> Line {
    line.cut(to: columns, ellipsis: glyphs.ellipsis)
  }

  /// Text at the left edge and at the right one; the left gives way.
  func row(_ left: Line, right: Line) -> Line {
    var line = left.cut(to: max(0, columns - right.columns - 1), ellipsis: glyphs.ellipsis)
    line.pad(to: columns - right.columns)
    line.append(right)
    return line.cut(to: columns, ellipsis: glyphs.ellipsis)
  }

  /// A whole row on the ground of the bars. Without a colour for it only bold and underlined text stand out of it.
  func bar(_ line: Line) -> Line {
    if theme.bar == .plain { return line }
    var row = Line()
    for span in line.spans {
      let style = span.style
      let over = theme.bar.background == nil ? Style(bold: style.bold, underline: style.underline) : style
      row.append(span.text, theme.bar + over)
    }
    row.pad(to: columns, theme.bar)
    return row
  }

  /// An entry as a row; the chosen one is a bar across the row, as in the list.
  func entry(_ line: Line, isChosen: Bool) -> Line {
    guard isChosen else { return cut(Line("  ") + line) }
    var row = Line(glyphs.edge + " ", onSelection(theme.edge))
    for span in line.spans { row.append(span.text, onSelection(span.style)) }
    row = cut(row)
    row.pad(to: columns, theme.selected)
    return row
  }

  /// The style on the ground of the chosen row. Colours keep to what can be read there, and grey text is text like any
  /// other.
  func onSelection(_ style: Style) -> Style {
    if theme.selected.background == nil { return theme.selected }
    let isGrey = style == theme.quiet || style == theme.dueLater || style == theme.done
    return isGrey ? theme.selected : theme.selected + style
  }

  /// The words in as many rows as they take, beside the beginning of the first.
  func wrapped(_ words: String, after start: Line, _ style: Style = .plain) -> [Line] {
    let indent = start.columns == 0 ? 0 : start.columns + 1
    let rows = words.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      let rows = TextWidth.wrap(Printable.text(String(line).withoutTabs), columns: max(1, columns - indent))
      return rows.isEmpty ? [""] : rows
    }
    return (rows.isEmpty ? [""] : rows).enumerated().map { number, row in
      var line = number == 0 ? start : Line()
      line.pad(to: indent)
      line.append(row, style)
      return line
    }
  }

  /// A note as it was written: each line with its indentation, and with all of its spaces where it has room.
  func written(_ note: String) -> [Line] {
    note.split(separator: "\n", omittingEmptySubsequences: false).flatMap { text in
      let text = Printable.text(String(text).withoutTabs)
      if TextWidth.columns(of: text) <= columns { return [Line(text)] }
      let indent = String(text.prefix { $0 == " " }.prefix(columns / 2))
      return TextWidth.wrap(text, columns: max(1, columns - indent.count)).map { Line(indent + $0) }
    }
  }

  /// A label and words beside it, in as many rows as they take.
  func labelled(_ label: String, _ words: String, width: Int, _ style: Style = .plain) -> [Line] {
    var start = Line(label, theme.quiet)
    start.pad(to: width)
    return wrapped(words, after: start, style)
  }

  /// The same for words with the marks of a comparison: what is in brackets is coloured too.
  func compared(_ words: String, after start: Line) -> [Line] {
    var style = Style.plain
    return wrapped(words, after: start).map { line in
      var coloured = Line()
      for span in line.spans {
        for piece in WordMarks.pieces(of: span.text) {
          if piece == WordMarks.removal {
            style = theme.removed
          } else if piece == WordMarks.addition {
            style = theme.added
          }
          coloured.append(piece, span.style + style)
          if WordMarks.closings.contains(piece) { style = .plain }
        }
      }
      return coloured
    }
  }

  func badge(_ badge: Badge) -> Span {
    switch badge {
    case .none: Span(" ")
    case .arrived: Span(glyphs.arrived, theme.arrived)
    case .waiting: Span(glyphs.waiting, theme.waiting)
    case .inFlight: Span(glyphs.inFlight, theme.inFlight)
    case .conflict: Span(glyphs.conflict, theme.conflict)
    case .refused: Span(glyphs.refused, theme.refused)
    }
  }
}

extension Style {
  /// The second laid over the first.
  static func + (base: Style, over: Style) -> Style {
    var style = base
    style.bold = base.bold || over.bold
    style.dim = base.dim || over.dim
    style.underline = base.underline || over.underline
    style.reverse = base.reverse || over.reverse
    style.color = over.color ?? base.color
    return style
  }
}

extension Line {
  /// All text without a colour of its own in this one.
  func colored(_ color: Style.Color) -> Line {
    var line = Line()
    for span in spans {
      var style = span.style
      style.color = style.color ?? color
      line.append(Span(span.text, style))
    }
    return line
  }

  static func + (left: Line, right: Line) -> Line {
    var line = left
    line.append(right)
    return line
  }
}

extension String {
  /// A tab shows as four spaces.
  fileprivate var withoutTabs: String {
    contains("\t") ? split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ") : self
  }
}
