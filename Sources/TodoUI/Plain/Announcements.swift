import Terminal
import TodoCore
import Words

/// What is told, a line each, when the list was so before and is so after. Pure.
func announcements(from before: Model, to after: Model) -> [String] {
  let told = Announcer(before, after)
  let lines =
    told.change() + told.notice() + told.refresh() + told.arrivals() + told.marks() + told.place() + told.list()
    + told.pull() + told.question()
  return lines.filter { !$0.isEmpty }
}

/// What is told when the list opens, and again when the user asks for everything to be drawn anew.
func recapitulation(of model: Model) -> [String] {
  let told = Announcer(model, model)
  let lines = [told.now.urgentWords ?? "", told.headline, told.spoken(told.now.status()), told.row(hasPosition: true)]
  return (model.mode == .list ? lines : told.whereOneIs()).filter { !$0.isEmpty }
}

/// Compares the list before and after something happened, and has the words for what differs.
struct Announcer {
  let before: Model
  let after: Model
  /// The words of the screen, for the list as it is now.
  let now: ViewContext

  init(_ before: Model, _ after: Model) {
    self.before = before
    self.after = after
    now = ViewContext(telling: after)
  }

  var text: Catalogue { now.text }

  func joined(_ parts: [String?]) -> String {
    parts.compactMap { $0?.isEmpty == false ? $0 : nil }.joined(separator: text.text(.listSeparator))
  }

  func labelled(_ name: String, _ words: String) -> String {
    text.text(.label, ["name": name, "words": words])
  }

  /// A row of the screen as it is read out: a pause where there are columns.
  func spoken(_ line: Line) -> String {
    joined(line.text.split(separator: "  ").map { $0.split(separator: " ").joined(separator: " ") })
  }

  /// The keys that help here.
  var keys: String {
    joined(now.hinted.map { "\($0.key) \($0.words)" })
  }
}

extension Announcer {
  /// A change of one item; of several the notice says how many.
  func change() -> [String] {
    guard let change = newChange else { return [] }
    let undo = ["undo": now.key(.undo)] as KeyValuePairs
    switch change.kind {
    case .dropped: return [text.text(.noticeDropped, undo)]
    case .restored: return [text.text(.noticeRestored, undo)]
    default: break
    }
    guard change.texts.count == 1, let words = change.texts.first else { return [] }
    switch change.kind {
    case .added: return [text.text(.added, ["text": words])]
    case .edited: return [text.text(.edited, ["text": words])]
    case .completed: return [text.text(.completed, ["text": words])]
    case .reopened: return [text.text(.reopened, ["text": words])]
    case .deleted: return [text.text(.deleted, ["text": words, "undo": now.key(.undo)])]
    case .decided(let command): return [labelled(text.help(command), words)]
    case .dropped, .restored: return []
    }
  }

  var newChange: LocalChange? {
    after.lastChange.count == before.lastChange.count ? nil : after.lastChange.confirmed
  }

  /// Nothing is said of a mouse that nobody listens to.
  func notice() -> [String] {
    guard after.noticeCount != before.noticeCount, let notice = after.notice else { return [] }
    if case .mouse = notice { return [] }
    return [text.sentence(for: notice, after)]
  }

  func question() -> [String] {
    guard after.mode != before.mode, case .prompt(let question) = after.mode else { return [] }
    return removals(question) + [text.sentence(for: question, after), keys]
  }

  /// Some of the items the server would take away.
  private func removals(_ question: Question) -> [String] {
    guard case .massRemoval(let count, _) = question else { return [] }
    let texts = (after.refresh.result?.removals ?? []).prefix(Self.mostRemovals)
    return texts + (texts.count < count && !texts.isEmpty ? [text.text(.pasteMore, count: count - texts.count)] : [])
  }

  private static let mostRemovals = 10

  func marks() -> [String] {
    var lines: [String] = []
    if after.marks.anchor != nil && before.marks.anchor == nil {
      lines.append(text.text(.rangeBegins, ["markRange": now.key(.markRange)]))
    }
    if after.marks.items.count != before.marks.items.count && newChange == nil {
      lines.append(text.text(.markedCount, count: after.marks.items.count))
    }
    return lines
  }
}
