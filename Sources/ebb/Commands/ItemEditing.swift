import FoundationEssentials
import Glibc
import TableProtocol
import TodoCore
import TodoUI
import Words

/// `ebb edit` without a text: items in the user's own editor. One is its text with the note below it, several are a line
/// each, `a1b2 buy milk`, with `␤` where a line of the text ends.
struct ItemEditing {
  private let named: NamedItems

  init(_ named: NamedItems) {
    self.named = named
  }

  /// Changes what was changed in the editor, as one step. Throws `CommandFailure` where nothing was, or not all.
  func run(mayAsk: Bool) throws {
    let environment = EnvironmentVariables.ofProcess
    let hasEditor = ["VISUAL", "EDITOR"].contains { environment[$0]?.isEmpty == false }
    // Without a terminal there is nobody to type, but a program that is named may do the work.
    guard mayAsk, hasEditor || isatty(STDIN_FILENO) == 1 else {
      throw CommandFailure.editor(.noTerminal(handle: named.items.first?.handle ?? ""))
    }
    let offered = named.items.count == 1 ? named.items[0].item.text : EditedLines.text(of: named.items)
    let written = try ExternalEditor(environment).written(offered)
    guard written != offered + "\n", written != offered else {
      return StandardOutput.error(ErrorMessages.catalogue.text(.noticeNoteUnchanged))
    }
    guard written.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure.editor(.empty(handle: named.items.map(\.handle).joined(separator: ",")))
    }
    if named.items.count == 1 { try edit(named.items[0], written) } else { try edit(EditedLines(written, named.items)) }
  }

  private func edit(_ edited: (handle: String, item: TodoItem), _ text: String) throws {
    do {
      try named.list.edit(edited.item.id, text: text, seen: edited.item.text)
    } catch TodoError.overtaken {
      throw CommandFailure.editor(.changedMeanwhile(ItemText(text).oneLine))
    }
    try report([edited.handle])
    TypedDate.report(text)
  }

  private func edit(_ lines: EditedLines) throws {
    let overtaken = try named.list.edit(lines.edits)
    let left = Set(overtaken)
    try report(named.items.filter { lines.edits[$0.item.id] != nil && !left.contains($0.item.id) }.map(\.handle))
    let lost = lines.unknown + overtaken.compactMap { lines.edits[$0]?.text }
    for text in lines.edits.values.map(\.text) { TypedDate.report(text) }
    guard let first = lost.first else { return }
    for text in lost.dropFirst() {
      StandardOutput.error(ErrorMessages.catalogue.text(.editorLeftOut, ["text": text.printable]))
    }
    throw CommandFailure.editor(.leftOut(first))
  }

  private func report(_ handles: [String]) throws {
    for (handle, item) in named.items where handles.contains(handle) {
      if let item = try named.list.item(item.id) { StandardOutput.report(named.layout.line(item, handle: handle)) }
    }
  }
}

/// The lines of several items as they were read.
struct EditedLines: Equatable {
  /// The items whose line has another text now. A line that is gone, or has nothing but its handle, changes nothing.
  private(set) var edits: [RecordID: TextEdit] = [:]
  /// Lines that begin with no handle that was offered, or with one that another line has.
  private(set) var unknown: [String] = []

  static func text(of items: [(handle: String, item: TodoItem)]) -> String {
    items.map { $0.handle + " " + ItemText($0.item.text).oneLine }.joined(separator: "\n")
  }

  init(_ written: String, _ items: [(handle: String, item: TodoItem)]) {
    for line in written.split(whereSeparator: \.isNewline) where line.contains(where: { !$0.isWhitespace }) {
      let words = line.split(maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
      guard let handle = words.first, let (_, item) = items.first(where: { $0.handle == handle }) else {
        unknown.append(String(line))
        continue
      }
      let text = words.count == 2 ? String(words[1].drop(while: \.isWhitespace)) : ""
      guard !text.isEmpty, text != ItemText(item.text).oneLine else { continue }
      // Of two lines for one item, one has no place.
      if edits[item.id] != nil {
        unknown.append(String(line))
      } else {
        edits[item.id] = TextEdit(text: text, seen: item.text)
      }
    }
  }
}

extension ExternalEditor {
  /// Opens a file that stays. Throws `CommandFailure` if the editor did not end well.
  func open(file path: String) throws {
    let before = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, before) }
    let status = open(path)
    if status == ExternalProgram.notFound { throw CommandFailure.editor(.missing(name)) }
    guard status == 0 else { throw CommandFailure.editor(.failed(name, keptAt: nil)) }
  }

  /// Returns the text in the file when the editor has ended. Throws `CommandFailure`.
  func written(_ text: String) throws -> String {
    // Ctrl-C belongs to the editor while it runs.
    let before = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, before) }
    switch edit(text) {
    case .text(let written): return written
    case .missing(let editor): throw CommandFailure.editor(.missing(editor))
    case .failed(let editor, let path): throw CommandFailure.editor(.failed(editor, keptAt: path))
    case .notUTF8(let editor, let path): throw CommandFailure.editor(.notUTF8(editor, keptAt: path))
    case .noFile(let folder): throw CommandFailure.editor(.noFile(folder: folder))
    }
  }
}

/// Why what was typed in an editor did not become what it was meant to be.
enum EditorProblem: Error, Equatable {
  /// There is no text, and nobody can type one.
  case noTerminal(handle: String)
  /// All words are handles, and nobody can type a text.
  case onlyHandles(first: String, others: String)
  case missing(String)
  /// It ended with an error. What it wrote is kept there; nil if it wrote nothing.
  case failed(String, keptAt: String?)
  case notUTF8(String, keptAt: String)
  case noFile(folder: String)
  /// It left nothing.
  case empty(handle: String)
  /// The item has another text by now that does not merge with this one.
  case changedMeanwhile(String)
  /// A line of an item that was not opened, or was changed meanwhile. The others are changed.
  case leftOut(String)
}
