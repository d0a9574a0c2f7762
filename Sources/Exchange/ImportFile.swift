package import TodoCore

/// A file with items, as bytes.
package enum ImportFile {
  /// Reads the items of a file. `format` overrules what the content and the name say. Dates of a table
  /// may be as a person types them, `24.12.` or `tomorrow`, which count from `today`; without that day they must be
  /// complete.
  package static func read(
    _ bytes: [UInt8], name: String, format: ExchangeFormat? = nil, today: CalendarDay? = nil
  ) throws(ImportProblem) -> (format: ExchangeFormat, result: ImportResult) {
    let text = try text(bytes)
    let format = format ?? ExchangeFormat(of: text, name: name)
    return (format, try read(text, format, today))
  }

  private static func read(_ text: String, _ format: ExchangeFormat, _ today: CalendarDay?) throws(ImportProblem)
    -> ImportResult
  {
    switch format {
    case .todotxt: TodoTxtReader.read(text)
    case .json: try JSONListReader.read(text)
    case .markdown: MarkdownReader.read(text)
    case .ics: try CalendarReader.read(text)
    case .csv: try CSVReader.read(text, today: today)
    case .taskwarrior: try TaskwarriorReader.read(text)
    }
  }

  /// The text without a byte order mark.
  private static func text(_ bytes: [UInt8]) throws(ImportProblem) -> String {
    // The mark of UTF-16, in which every other byte of a text is 0.
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { throw .isUTF16 }
    if bytes.contains(0) { throw .notText }
    guard let text = String(ofFile: bytes) else { throw hasControls(bytes) ? .notText : .notUTF8 }
    if text.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) { throw .empty }
    return text
  }

  /// Pictures and programs have them in their first bytes; a text of another encoding does not.
  private static func hasControls(_ bytes: [UInt8]) -> Bool {
    bytes.prefix(512).contains { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
  }
}

/// The lines of a text, with their numbers from 1. A line ends with LF, CR LF or CR.
struct NumberedLines: Sequence, IteratorProtocol {
  private let bytes: Substring.UTF8View
  private var place: Substring.UTF8View.Index
  private var number = 0

  init(_ text: String) {
    bytes = text[...].utf8
    place = bytes.startIndex
  }

  mutating func next() -> (number: Int, line: Substring)? {
    guard place < bytes.endIndex else { return nil }
    let rest = bytes[place...]
    let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
    number += 1
    defer {
      place = end
      if place < bytes.endIndex {
        let isReturn = bytes[place] == 0x0D
        place = bytes.index(after: place)
        if isReturn, place < bytes.endIndex, bytes[place] == 0x0A { place = bytes.index(after: place) }
      }
    }
    return (number, Substring(rest[..<end]))
  }
}
