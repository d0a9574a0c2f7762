import SQLiteStore
import TableProtocol
import TodoCore
import Words

/// The items of a list that a completion offers. It makes no list, and asks no server.
struct OfferedItems {
  private let line: CompletionLine
  private let list: TodoList

  /// Nil if there is no list, or it can't be read.
  init?(_ line: CompletionLine) {
    guard let settings = try? Settings(line.flags, environment: .ofProcess, offline: true), settings.hasStore,
      let context = try? AppContext(settings, offline: true, warn: { _ in })
    else { return nil }
    self.line = line
    list = context.list
  }

  /// More than this many are not offered before a first letter is typed.
  private static let most = 500

  /// The handles that begin as the word does, with their texts; those that fit the command, and are not there yet.
  func handles() throws -> [Completion.Candidate] {
    let typed = line.beginning
    if line.command == ResolveCommand.self {
      let handles = try list.handles()
      return try list.conflicts().compactMap { conflict in
        candidate(handles.handle(of: conflict.id), conflict.id.text, conflict.mine?.text ?? conflict.theirs?.text ?? "")
      }
    }
    let handles = try list.handles()
    var candidates: [Completion.Candidate] = []
    struct Enough: Error {}
    do {
      try list.forEachLine(of: TodoQuery(view: view)) { item in
        guard let candidate = candidate(handles.handle(of: item.id), item.id.text, item.text) else { return }
        candidates.append(candidate)
        if typed.isEmpty && candidates.count == Self.most { throw Enough() }
      }
    } catch is Enough {}
    return candidates
  }

  private var view: TodoView {
    if line.command == UndoneCommand.self { return .done }
    return line.command == DeleteCommand.self ? .all : .open
  }

  /// Nil for an item that does not fit what is typed. Somebody may have typed more of an id than they have to.
  private func candidate(_ handle: String, _ id: String, _ text: String) -> Completion.Candidate? {
    guard id.hasPrefix(line.beginning), !line.words.contains(handle) else { return nil }
    let value = handle.count < line.beginning.count ? line.beginning : handle
    return Completion.Candidate(value: value, meaning: String(ItemText(text).line.prefix(Self.longestText)))
  }

  /// In characters; shells cut what is too long for the screen.
  private static let longestText = 120

  /// Projects and contexts with their signs, and how many open items have them.
  var names: [Completion.Candidate] {
    let words = (try? list.wordCounts()) ?? []
    return words.map { Completion.Candidate(value: $0.word, meaning: ErrorMessages.catalogue.number($0.count)) }
  }
}

/// The words of a filter that stand for themselves, with what they mean.
enum FilterWordList {
  static var filter: [Completion.Candidate] {
    [
      word("due:today", .wordDueToday), word("due:tomorrow", .wordDueTomorrow), word("due:week", .wordDueWeek),
      word("due:overdue", .wordDueOverdue), word("due:none", .wordDueNone), word("due:", .wordDue),
      word("created:week", .wordCreated), word("done:today", .wordDone),
      word("done:none", .wordDoneNone), word("note:", .wordNote),
    ] + priorities
  }

  static var priorities: [Completion.Candidate] { ["(A)", "(B)", "(C)"].map { word($0, .wordPriority) } }

  /// The priorities that an item can be given, and none.
  static var letters: [Completion.Candidate] {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { word(String(UnicodeScalar($0)), .wordPriority) } + [
      Completion.Candidate(value: CommandRewrite.noLetter, meaning: ErrorMessages.usage(.depri))
    ]
  }

  static var weekdays: [Completion.Candidate] {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].map { word("due:" + $0, .wordWeekday) }
  }

  /// Days as they are typed into an item.
  static var days: [Completion.Candidate] {
    [
      word("due:today", .wordDueToday), word("due:tomorrow", .wordDueTomorrow), word("due:eow", .wordEndOfWeek),
      word("due:eom", .wordEndOfMonth),
    ] + weekdays
  }

  private static func word(_ value: String, _ meaning: HelpKey) -> Completion.Candidate {
    Completion.Candidate(value: value, meaning: ErrorMessages.catalogue.text(meaning))
  }
}
