import OfflineSync
import Terminal
import TodoCore
import Words

/// A question that one key answers.
enum Question: Equatable, Sendable {
  /// Whether to leave though changes wait.
  case leave
  /// The fate of the list, which is another account's.
  case account(OtherAccount)
  /// Whether the server may take away so much of the list, or all of it goes back there.
  case massRemoval(MassRemoval)
  /// In which order the list is shown.
  case sort
  /// Under which number the filter is kept. A number that holds another one is asked for twice.
  case slot(replacing: Int?)
  /// Which of the addresses of an item is opened.
  case link([String])
  /// Which colours the list has; with those it has now.
  case theme(ThemeChoice)

  /// Nil for a failure that nobody has to decide about.
  init?(_ failure: SyncFailure) {
    switch failure {
    case .otherAccount(let account): self = .account(account)
    case .massRemoval(let removal): self = .massRemoval(removal)
    case .remote, .store, .otherProgramBusy, .invalidPull, .serverWentBack, .cancelled, .other: return nil
    }
  }

  var place: Place {
    switch self {
    case .leave: .quitPrompt
    case .account: .accountPrompt
    case .massRemoval: .removalPrompt
    case .sort: .sortPrompt
    case .slot: .slotPrompt
    case .link: .linkPrompt
    case .theme: .themePrompt
    }
  }
}

extension PromptAnswer {
  /// The theme that it names; nil for another answer.
  var theme: ThemeChoice? {
    switch self {
    case .themeAuto: .auto
    case .themeTerminal: .terminal
    case .themeLight: .light
    case .themeDark: .dark
    case .themePlain: .plain
    case .sortCreated, .sortText, .sortDue, .sortPriority, .sortProject, .sortUpdated, .pasteItems, .pasteOne, .leave,
      .stay, .sameList, .takeAlong, .agree, .sendBack, .decline:
      nil
    }
  }

  /// It needs no question before it.
  var isSetting: Bool {
    switch self {
    case .themeAuto, .themeTerminal, .themeLight, .themeDark, .themePlain, .sortCreated, .sortText, .sortDue,
      .sortPriority, .sortProject, .sortUpdated:
      true
    case .pasteItems, .pasteOne, .leave, .stay, .sameList, .takeAlong, .agree, .sendBack, .decline: false
    }
  }
}

/// Text of several lines that came in one piece.
struct PastedText: Equatable, Sendable {
  /// The texts of the items, one for each line that says something. If each line has the mark of a list, they begin
  /// behind that.
  let items: [String]
  /// The first line, with the others as its note, in one line as it is typed.
  let asOne: String
  /// For each of the lines whether it has a ticked box.
  let ticks: [Bool]
  /// Nil if an import would not keep each line and its mark.
  let marked: MarkedLines?
  /// How many ticked boxes one item with a note does not have any more.
  let ticksLeftOut: Int

  /// Nil when it is one line or none. `after` stood behind the cursor: it goes on with the last item, since there the
  /// cursor would be, and with the line of one item, since a project in its note would be none. Behind a line break it
  /// is an item of its own, if no space parts it from what comes before it. `isInFirst`: the first line has it already.
  init?(_ text: String, after: String = "", isInFirst: Bool = false) {
    let all = Self.lines(of: text)
    let lines = all.filter { !$0.isEmpty }
    if lines.count < 2 { return nil }
    if after.first?.isWhitespace == true {
      items = lines.dropLast() + [lines[lines.count - 1] + after]
    } else {
      items = Self.lines(of: text + after).filter { !$0.isEmpty }
    }
    let first = isInFirst ? lines[0] : lines[0] + after
    // A blank line parts the paragraphs of a note.
    let note = all.drop { $0.isEmpty }.dropFirst()
    asOne = ItemText(line: first, note: note.joined(separator: "\n")).oneLine
    let typed = Self.typedLines(of: text).filter { !$0.isBlank }.map(\.text)
    ticks = ListMark.ticks(in: typed)
    marked = MarkedLines(typed)
    ticksLeftOut = ListMark.removed(from: typed) == typed ? 0 : ticks.count { $0 }
  }

  private static func typedLines(of text: String) -> [LineEditor] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { LineEditor(String($0)) }
  }

  /// The lines without the marks of a list; those that say nothing are empty, and at the end there are none.
  private static func lines(of text: String) -> [String] {
    let typed = typedLines(of: text)
    var said = ListMark.removed(from: typed.filter { !$0.isBlank }.map(\.text))[...]
    let end = typed.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? 0
    return typed[..<end].map { $0.isBlank ? "" : said.popFirst() ?? "" }
  }
}
