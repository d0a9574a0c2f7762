import FoundationEssentials
import Glibc
import OfflineSync
import TableProtocol
import TodoCore
import TodoUI
import Words

/// `ebb edit` without a text: items in the user's own editor. One is its text with the note below it, several are a
/// line each, `a1b2 buy milk`, with `␤` where a line of the text ends.
struct ItemEditing {
  private let named: NamedItems

  init(_ named: NamedItems) {
    self.named = named
  }

  /// Changes what was changed in the editor, as one step. Throws `CommandFailure` where nothing was, or not all.
  func run(mayAsk: Bool) throws {
    let editor = ExternalEditor(.ofProcess)
    // Without a terminal there is nobody to type.
    guard mayAsk, editor.isNamed || isatty(STDIN_FILENO) == 1 else {
      throw CommandFailure.editor(.noTerminal(handle: named.items.first?.handle ?? ""))
    }
    let offered = named.items.count == 1 ? named.items[0].item.text : EditedLines.text(of: named.items)
    let written = try editor.written(offered)
    guard written != offered + "\n", written != offered else {
      return StandardOutput.error(ErrorMessages.catalogue.text(.noticeNoteUnchanged))
    }
    guard written.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure.editor(.empty(handle: named.items.map(\.handle).joined(separator: ",")))
    }
    do {
      if named.items.count == 1 {
        try edit(named.items[0], written)
      } else {
        try edit(EditedLines(written, named.items))
      }
    } catch let error as StoreError {
      if let path = kept(written) {
        StandardOutput.error(ErrorMessages.catalogue.text(.editorKeptAt, ["path": path]))
      }
      throw error
    }
  }

  private func edit(_ edited: (handle: String, item: TodoItem), _ text: String) throws {
    let isChanged: Bool
    do {
      isChanged = try named.list.edit(edited.item.id, text: text, seen: edited.item.text)
    } catch TodoError.overtaken {
      throw CommandFailure.editor(
        kept(text).map { .changedKept(handle: edited.handle, path: $0) } ?? .changedMeanwhile(ItemText(text).oneLine))
    } catch TodoError.notFound {
      throw CommandFailure.editor(
        kept(text).map { .goneKept(handle: edited.handle, path: $0) }
          ?? .lost(LostLine(ItemText(text).oneLine, .gone(handle: edited.handle))))
    }
    try report([edited.handle])
    if !isChanged { StandardOutput.error(ErrorMessages.catalogue.text(.noticeNothingChanged)) }
    TypedDate.report(text)
  }

  private func kept(_ text: String) -> String? { ExternalEditor(.ofProcess).keep(text) }

  private func edit(_ lines: EditedLines) throws {
    let obstacles = try named.list.edit(lines.edits)
    let saved = named.items.filter { lines.edits[$0.item.id] != nil && obstacles[$0.item.id] == nil }
    try report(saved.map(\.handle))
    if !lines.withoutText.isEmpty {
      let handles = lines.withoutText.joined(separator: " ")
      StandardOutput.error(ErrorMessages.catalogue.text(.editorWithoutText, ["handles": handles.printable]))
    }
    TypedDate.report(lines.edits.values.map(\.text))
    let lost =
      lines.lost + named.items.compactMap { LostLine(lines.edits[$0.item.id], $0.handle, obstacles[$0.item.id]) }
    guard let last = lost.last else {
      if lines.edits.isEmpty { StandardOutput.error(ErrorMessages.catalogue.text(.noticeNoteUnchanged)) }
      return
    }
    for line in lost.dropLast() {
      StandardOutput.error(ErrorMessages.anySentence(for: CommandFailure.editor(.lost(line))))
    }
    throw CommandFailure.editor(.lost(last))
  }

  private func report(_ handles: [String]) throws {
    for (handle, item) in named.items where handles.contains(handle) {
      if let item = try named.list.item(item.id) { StandardOutput.report(named.layout.line(item, handle: handle)) }
    }
  }
}

/// The lines of several items as they were read.
struct EditedLines: Equatable {
  /// The items whose line has another text now.
  private(set) var edits: [RecordID: TypedText] = [:]
  /// Lines that are nobody's: of no handle that was opened, or the second of an item.
  private(set) var lost: [LostLine] = []
  /// The handles whose line is gone or has no text, which changes nothing.
  private(set) var withoutText: [String] = []

  static func text(of items: [(handle: String, item: TodoItem)]) -> String {
    items.map { $0.handle + " " + ItemText($0.item.text).oneLine }.joined(separator: "\n")
  }

  init(_ written: String, _ items: [(handle: String, item: TodoItem)]) {
    var texts: [Substring: String] = [:]
    for line in written.split(whereSeparator: \.isNewline) where line.contains(where: { !$0.isWhitespace }) {
      let words = line.split(maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: \.isWhitespace)
      guard let handle = words.first, items.contains(where: { $0.handle == handle }) else {
        lost.append(LostLine(String(line), .unknownHandle))
        continue
      }
      let text = words.count == 2 ? String(words[1].drop(while: \.isWhitespace)) : ""
      if let first = texts[handle] {
        if first != text { lost.append(LostLine(text, .secondLine(handle: String(handle)))) }
      } else {
        texts[handle] = text
      }
    }
    for (handle, item) in items {
      guard let text = texts[handle[...]], !text.isEmpty else {
        withoutText.append(handle)
        continue
      }
      if text != ItemText(item.text).oneLine { edits[item.id] = TypedText(text: text, seen: item.text) }
    }
  }
}

/// A text that was typed in the editor and is in no item.
struct LostLine: Error, Equatable {
  enum Reason: Equatable {
    /// The line begins with no handle that was opened.
    case unknownHandle
    /// Another line of the item stands above it.
    case secondLine(handle: String)
    case changedMeanwhile(handle: String, now: String)
    case gone(handle: String)
  }

  let text: String
  let reason: Reason

  init(_ text: String, _ reason: Reason) {
    self.text = text
    self.reason = reason
  }

  /// Nil for a text that was saved.
  fileprivate init?(_ edit: TypedText?, _ handle: String, _ obstacle: EditObstacle?) {
    guard let edit, let obstacle else { return nil }
    switch obstacle {
    case .gone: self.init(edit.text, .gone(handle: handle))
    case .overtaken(let now):
      self.init(edit.text, .changedMeanwhile(handle: handle, now: ItemText(now).oneLine))
    }
  }
}

extension ExternalEditor {
  /// Opens a file that stays. False if the editor ended with an error: it may have saved the file before. Throws
  /// `CommandFailure` if there is no such editor.
  func open(file path: String) throws -> Bool {
    let before = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, before) }
    let status = open(path)
    if status == ExternalProgram.notFound { throw CommandFailure.editor(.missing(name)) }
    return status == 0
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
  /// A word that looks like a handle is that of no item.
  case unknownHandle(String, first: String, others: String)
  case missing(String)
  /// It ended with an error. The text that it wrote is kept there; nil if it wrote nothing.
  case failed(String, keptAt: String?)
  case notUTF8(String, keptAt: String)
  case noFile(folder: String)
  /// It left nothing.
  case empty(handle: String)
  /// The item has another text by now that does not merge with this one.
  case changedMeanwhile(String)
  /// The same, and of an item that is deleted by now; the text is kept in a file.
  case changedKept(handle: String, path: String)
  case goneKept(handle: String, path: String)
  /// The others are saved.
  case lost(LostLine)
}
