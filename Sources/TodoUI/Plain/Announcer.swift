import OfflineSync
import Terminal
import TodoCore
import Words

/// The lines that announce the difference between two states of the list. Pure.
func announcements(from before: Model, to after: Model) -> [String] {
  let told = Announcer(before, after)
  let lines =
    told.change() + told.notice() + told.refresh() + told.line() + told.arrivals() + told.marks() + told.place()
    + told.list()
    + told.pull() + told.question()
  return lines.filter { !$0.isEmpty }
}

/// The lines announced when the list opens, and again when the user asks for a redraw.
func recapitulation(of model: Model) -> [String] {
  let told = Announcer(model, model)
  let urgent = model.screen.notice?.warnings ?? [told.urgentWords ?? ""]
  let lines = urgent + [told.headline, told.spoken(told.statusLine), told.row(hasPosition: true)]
  return (model.mode == .list ? lines : told.whereOneIs()).filter { !$0.isEmpty }
}

/// Compares the list before and after something happened, and has the words for what differs.
struct Announcer: View {
  let before: Model
  let after: Model
  let brush: Brush

  init(_ before: Model, _ after: Model) {
    self.before = before
    self.after = after
    brush = Brush(telling: after.screen)
  }

  // The words of the screen, for the list as it is now.
  /// The name of the place open instead of the list, and the position in it.
  var title: String { TitleView.spokenTitle(of: after, brush) }
  var statusLine: Line {
    StatusView(sync: after.sync, size: after.screen.size, hasServer: after.hasServer, brush: brush).words
  }
  var refreshView: RefreshView { RefreshView(sync: after.sync, brush: brush) }
  var urgentWords: String? { NoticeView(model: after, brush: brush).urgentWords }

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
    joined(HintsView(model: after, brush: brush).hinted.map { "\($0.key) \($0.words)" })
  }
}

extension Announcer {
  /// A change of one item; of several the notice says how many.
  func change() -> [String] {
    guard let change = newChange else { return [] }
    let undo = ["undo": key(.list(.undo))] as KeyValuePairs
    let words = change.texts.count == 1 ? ItemText(change.texts[0]).line : nil
    let said: String? =
      switch change.kind {
      case .dropped: text.text(.noticeDropped, undo)
      case .restored: text.text(.noticeRestored, undo)
      case .added: words.map { text.text(.added, ["text": $0]) }
      case .edited, .dated: words.map { text.text(.edited, ["text": $0]) }
      case .completed: words.map { text.text(.completed, ["text": $0]) }
      case .reopened: words.map { text.text(.reopened, ["text": $0]) }
      case .deleted: words.map { text.text(.deleted, ["text": $0, "undo": key(.list(.undo))]) }
      // The notice says it.
      case .decided: nil
      }
    return said.map { [$0] } ?? []
  }

  var newChange: LocalChange? {
    after.list.lastChange.count == before.list.lastChange.count ? nil : after.list.lastChange.confirmed
  }

  /// Nothing is said of a mouse that nobody listens to.
  func notice() -> [String] {
    guard after.screen.noticeCount != before.screen.noticeCount, let notice = after.screen.notice else { return [] }
    if case .screen(.mouse) = notice { return [] }
    let hiding = notice.addition.flatMap { text.hiding($0) }
    // The change itself was told.
    if case .change = notice, let hiding { return [hiding] }
    switch notice {
    case .change(.did), .change(.added): return []
    case .trouble, .change, .conflict, .rows, .filter, .editor, .externalEditor, .pane, .sync, .screen: break
    }
    let undo = notice.isUndoable ? text.text(.didUndo, ["undo": key(.list(.undo))]) : nil
    return [joined([text.sentence(for: notice, after), hiding, undo])]
  }

  func question() -> [String] {
    guard case .prompt(let question) = after.mode else { return [] }
    if after.mode == before.mode { return after.panes.previewTop == before.panes.previewTop ? [] : links() }
    return removals(question) + [text.sentence(for: question, after)] + links() + [keys]
  }

  /// The addresses with the numbers that open them, and how to go on to the others.
  private func links() -> [String] {
    guard let links = LinksView(after, brush, rows: Int.max) else { return [] }
    return links.numbered + (links.pager.map { [spoken($0)] } ?? [])
  }

  /// Some of the items the server would take away.
  private func removals(_ question: Question) -> [String] {
    guard case .massRemoval(let removal) = question else { return [] }
    let count = removal.here
    let texts = (after.sync.refresh.result?.removals ?? []).prefix(Self.mostRemovals).map { ItemText($0).line }
    return texts + (texts.count < count && !texts.isEmpty ? [text.text(.pasteMore, count: count - texts.count)] : [])
  }

  private static let mostRemovals = 10

  func marks() -> [String] {
    var lines: [String] = []
    if after.list.marks.anchor != nil && before.list.marks.anchor == nil {
      lines.append(text.text(.rangeBegins, ["markRange": key(.list(.markRange))]))
    }
    let (old, new) = (before.list.marks, after.list.marks)
    if (old.count, old.hidden) != (new.count, new.hidden) && newChange == nil {
      lines.append(text.marks(new.count, hidden: new.hidden.count))
    }
    return lines
  }
}

extension Announcer {
  /// That a refresh began, every few seconds how far it is, and what came of it. A refresh that nobody asked for is
  /// reported only when the connection is lost or found again.
  func refresh() -> [String] {
    switch (before.sync.refresh.isRunning, after.sync.refresh.isRunning) {
    case (false, true): return isAsked ? [refreshView.progressWords] : []
    case (true, true): return progress()
    case (true, false): return isAsked ? receipt() : connection()
    case (false, false): return comparison()
    }
  }

  /// Arrivals not looked at yet, with the keys that show them; changes that wait for a decision.
  func arrivals() -> [String] {
    guard before.sync.status != nil, let status = after.sync.status else { return [] }
    var lines: [String] = []
    if after.sync.arrived > before.sync.arrived {
      let keys = [Command.open(.digest), .list(.nextArrival)].map { "\(key($0)) \(text.hint($0))" }
      lines.append(joined([text.away(status.arrivals)] + keys))
    }
    if after.sync.undecided > before.sync.undecided { lines.append(spoken(statusLine)) }
    return lines
  }

  /// The effect of pulling once more.
  func pull() -> [String] {
    guard after.mode == .list, after.sync.pull.isOpen, !before.sync.pull.isOpen else { return [] }
    return [spoken(refreshView.pullHint())]
  }

  private var isAsked: Bool { after.sync.refresh.origin != .automatic }

  /// Pictures of the spinner from one line to the next.
  private static let stepsBetweenLines = 3_000 / Refresh.stepTime

  private func progress() -> [String] {
    let isLate = after.sync.refresh.step / Self.stepsBetweenLines != before.sync.refresh.step / Self.stepsBetweenLines
    switch after.sync.refresh.progress {
    case .waitingForOtherProgram, .stopping:
      return after.sync.refresh.progress == before.sync.refresh.progress ? [] : [refreshView.progressWords]
    case .moving: return isLate && isAsked ? [refreshView.progressWords] : []
    case .starting, nil: return []
    }
  }

  /// A failure is told as a notice, or asked.
  private func receipt() -> [String] {
    guard let result = after.sync.refresh.result, result.failure == nil else { return [] }
    return [text.receipt(of: result, after.sync.refresh.comparison, separator: text.text(.listSeparator))]
  }

  /// The comparison may come a moment after the receipt. Differences come as a notice.
  private func comparison() -> [String] {
    guard isAsked, let comparison = after.sync.refresh.comparison, before.sync.refresh.comparison == nil,
      comparison.isSame
    else { return [] }
    return [text.words(for: comparison, after: after.sync.refresh.result)]
  }

  /// That the server says what is new from now on, or not any more.
  func line() -> [String] {
    let (was, now) = (before.sync.line, after.sync.line)
    if now.word == .lineLive { return was.word == .lineLive ? [] : [text.text(.lineBegins)] }
    guard let sentence = now.trouble else { return [] }
    // Why one was lost is said once: the next try may fail for another reason.
    let hasReason = sentence == .lineLost && was.cause == nil && now.cause != nil
    guard sentence != was.trouble || hasReason else { return [] }
    if sentence == .lineLost { return [text.sentences(text.loss(of: now), text.text(.lineAgain))] }
    return [text.text(sentence, ["refresh": key(.common(.refresh))])]
  }

  private func connection() -> [String] {
    let isLost = after.sync.automatic.failures == 1
    let isFound = before.sync.automatic.failures > 0 && after.sync.automatic.failures == 0
    guard isLost || isFound, let connection = after.sync.connection(at: after.screen.now) else { return [] }
    return [text.words(for: connection, isWhole: true, refresh: key(.common(.refresh)))]
  }
}
