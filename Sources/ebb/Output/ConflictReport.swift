import FoundationEssentials
import Glibc
import TableProtocol
import Terminal
import TodoCore
import Words

/// The conflicts that wait for a decision, as `ebb conflicts` prints them.
struct ConflictReport {
  private let entries: [(handle: String, conflict: TodoConflict)]
  private let now: Date

  init(_ entries: [(handle: String, conflict: TodoConflict)], now: Date = Date()) {
    self.entries = entries
    self.now = now
  }

  /// `[{handle, id, kind, status, reason, base, mine, theirs, merged}]`; a copy is `{text, complete}` or null, `merged`
  /// a text or null.
  var json: [UInt8] {
    var writer = JSONWriter(isForTerminal: true)
    writer.raw("[")
    for (index, entry) in entries.enumerated() {
      if index > 0 { writer.raw(",\n ") }
      writer.json(Self.object(entry.handle, entry.conflict))
    }
    writer.raw("]\n")
    return writer.bytes
  }

  /// Laid out as the list shows them: why, and below it each copy with its name and time in a column, the words that
  /// differ from the one before in brackets.
  func text(_ paint: Paint) -> [UInt8] {
    let catalogue = ErrorMessages.catalogue
    guard !entries.isEmpty else { return Array((catalogue.text(.conflictNone) + "\n").utf8) }
    // The width of letters is known to a locale alone.
    setlocale(LC_CTYPE, "C.UTF-8")
    let blocks = entries.map { handle, conflict in
      let sign = paint(conflict.isRefused ? "!" : "≠", .alarm)
      let head = "\(handle.printable) \(sign) " + ItemText(conflict.text).line.printable
      let below =
        [catalogue.reason(of: conflict).printable] + copies(in: conflict, paint) + [
          catalogue.text(conflict.howTo, ["handle": handle.printable])
        ]
      return ([head] + below.map { "  " + $0 }).joined(separator: "\n")
    }
    return Array((blocks.joined(separator: "\n\n") + "\n").utf8)
  }

  private func copies(in conflict: TodoConflict, _ paint: Paint) -> [String] {
    let catalogue = ErrorMessages.catalogue
    let fields = conflict.fields.isEmpty ? [.text] : conflict.fields
    var rows: [(label: String, words: String)] = []
    for field in fields {
      if fields.count > 1 { rows.append((catalogue.name(of: field), "")) }
      let sides = catalogue.sides(of: field, in: conflict) { LocalMoment($0).text(today: LocalMoment(now)) }
      rows += sides.map { ($0.label, Self.colored($0.words, paint)) }
    }
    if let merged = conflict.merged {
      rows.append((catalogue.text(.conflictMerged), merged.printable))
      if let without = catalogue.leftOut(of: conflict) { rows.append(("", without.printable)) }
    }
    let width = rows.map { TextWidth.columns(of: $0.label) }.max() ?? 0
    return rows.map { label, words in
      let pad = String(repeating: " ", count: width - TextWidth.columns(of: label) + 2)
      return words.isEmpty ? label : paint(label, .dim) + pad + words
    }
  }

  /// The brackets say it too.
  private static func colored(_ words: String, _ paint: Paint) -> String {
    let words = words.printable
    guard paint.isOn else { return words }
    var ink: Paint.Ink?
    return WordMarks.pieces(of: words).reduce(into: "") { text, piece in
      if piece == WordMarks.removal { ink = .removed }
      if piece == WordMarks.addition { ink = .added }
      text += ink.map { paint(piece, $0) } ?? piece
      if WordMarks.closings.contains(piece) { ink = nil }
    }
  }

  private static func object(_ handle: String, _ conflict: TodoConflict) -> [UInt8] {
    var writer = JSONWriter(isForTerminal: true)
    writer.raw("{")
    writer.member("handle", isFirst: true)
    writer.string(handle)
    for (name, value) in [
      ("id", FieldValue.text(conflict.id.text)), ("kind", .text(conflict.kind.word)),
      ("status", FieldValue(conflict.status)), ("reason", FieldValue(conflict.refusal)),
    ] {
      writer.member(name)
      writer.value(value)
    }
    for (name, copy) in [("base", conflict.base), ("mine", conflict.mine), ("theirs", conflict.theirs)] {
      writer.member(name)
      if let copy {
        writer.json(JSONObject(["text": .text(copy.text), "complete": .bool(copy.complete)]).bytes)
      } else {
        writer.raw("null")
      }
    }
    writer.member("merged")
    writer.value(FieldValue(conflict.merged))
    writer.raw("}")
    return writer.bytes
  }
}

extension TodoConflict.Kind {
  /// Its name in JSON.
  fileprivate var word: String {
    switch self {
    case .conflict: "conflict"
    case .held: "held"
    case .refused: "refused"
    }
  }
}

extension TodoConflict {
  /// The command that decides it, with the sides that there are.
  fileprivate var howTo: StringKey {
    if isRefused { return .conflictHowToRefused }
    return merged == nil ? .conflictHowTo : .conflictHowToMerged
  }

  /// The server's reason for a refusal; nil for a conflict.
  fileprivate var refusal: String? {
    if case .refused(let reason) = kind { reason } else { nil }
  }
}
