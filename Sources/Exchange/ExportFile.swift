package import TodoCore

/// A list as the bytes of a file, a run of items at a time.
package struct ExportFile {
  private let format: ExchangeFormat
  private var json = JSONListWriter()

  /// For a format that is written.
  package init(_ format: ExchangeFormat) { self.format = format }

  /// The beginning, before the first item.
  package var start: [UInt8] {
    switch format {
    case .json: Array(json.start.utf8)
    case .ics: CalendarWriter.start
    case .csv: Array(CSVWriter.start.utf8)
    case .todotxt, .markdown, .taskwarrior: []
    }
  }

  /// The next items. `handle` gives the handle that goes with an item of a todo.txt; nil for none.
  package mutating func next(_ items: [PortableItem], handle: (PortableItem) -> String? = { _ in nil }) -> [UInt8] {
    switch format {
    case .json: json.next(items)
    case .ics: items.flatMap(CalendarWriter.todo)
    case .csv: items.flatMap { Array(CSVWriter.row($0).utf8) }
    case .markdown: items.flatMap { Array(MarkdownWriter.lines(of: $0).utf8) }
    case .todotxt, .taskwarrior: items.flatMap { Array(TodoTxtWriter.line($0, handle: handle($0)).utf8) }
    }
  }

  /// The end, after the last item.
  package var end: [UInt8] {
    switch format {
    case .json: Array(json.end.utf8)
    case .ics: CalendarWriter.end
    case .todotxt, .markdown, .csv, .taskwarrior: []
    }
  }
}
