import FoundationEssentials
import OfflineSync
import TableProtocol
import Terminal
import TodoCore
import Words

/// The pane opened in place of the list: one row an entry, and below them the chosen entry whole.
struct PaneView: View {
  let pane: Pane
  /// There is a server that changes wait for.
  var hasServer = true
  /// Said where no change waits any more.
  var nothing = ""
  let brush: Brush

  func draw(on frame: inout Frame, height: Int, foot: Int) {
    switch pane {
    case .outbox(let choice, _) where choice.elements.isEmpty:
      frame.lines += wrapped(nothing, after: Line(" "), theme.quiet)
    case .outbox(let choice, _): draw(choice, on: &frame, height, foot, line: line(of:), whole: whole(_:))
    case .digest(let choice): draw(choice, on: &frame, height, foot, line: line(of:), whole: whole(_:))
    case .story(_, let choice):
      let columns = timeColumns(of: choice.elements)
      draw(
        choice, on: &frame, height, foot, line: { line(of: $0, timeColumns: columns) },
        whole: { whole($0, in: choice) })
    case .log(let choice): draw(choice, on: &frame, height, foot, line: line(of:), whole: whole(_:))
    case .detail(let detail, let from):
      DetailView(detail: detail, hasServer: hasServer, brush: brush).draw(from: from, on: &frame, height: height)
    }
  }

  /// One row an entry, and below them the chosen entry whole: on `foot` rows, or on all that the entries leave.
  private func draw<Element>(
    _ choice: Choice<Element>, on frame: inout Frame, _ height: Int, _ foot: Int, line: (Element) -> Line,
    whole: (Element) -> [Line]
  ) {
    let first = frame.lines.count
    let lines = foot > 1 ? choice.current.map(whole) ?? [] : []
    let foot = min(height - 1, max(foot, min(height - choice.elements.count, lines.count + 1)))
    for (index, element) in choice.visible(height: height - foot) {
      let isChosen = index == choice.index
      if isChosen { frame.cursor = Frame.Cursor(row: frame.lines.count, column: 0, isVisible: false) }
      frame.lines.append(entry(line(element), isChosen: isChosen))
    }
    guard foot > 1, !lines.isEmpty else { return }
    while frame.lines.count < first + height - foot + 1 { frame.lines.append(Line()) }
    frame.lines += shortened(lines, to: foot - 1).map(cut)
  }

  private func shortened(_ lines: [Line], to rows: Int) -> [Line] {
    lines.count <= rows ? lines : lines.prefix(rows - 1) + [Line(glyphs.ellipsis, theme.quiet)]
  }
}

// MARK: The outbox

extension PaneView {
  /// A change that waits, in words: `"milk" to "oat milk"`.
  func line(of change: WaitingChange) -> Line {
    var line = Line()
    line.append(badge(change.badge))
    line.append(" " + text.words(for: change))
    return line
  }

  func whole(_ change: WaitingChange) -> [Line] {
    let staysHere = change.reason == .nextRefresh && !hasServer
    let reason = staysHere ? text.text(.reasonNoServer) : text.reason(for: change.reason)
    return wrapped(text.words(for: change), after: Line()) + wrapped(reason, after: Line(), theme.quiet)
  }
}

// MARK: Changes while the user was away

extension PaneView {
  /// The change of an item, in one word, and its text.
  func line(of arrival: Arrival) -> Line {
    var line = Line(text.word(for: arrival.kind), style(of: arrival.kind))
    line.pad(to: Arrival.Kind.allCases.map { TextWidth.columns(of: text.word(for: $0)) }.max() ?? 0)
    line.append("  " + ItemText((arrival.after ?? arrival.before)?.text ?? "").line)
    return line
  }

  /// An edit word by word; of the rest the whole text.
  func whole(_ arrival: Arrival) -> [Line] {
    let words =
      switch (arrival.before, arrival.after) {
      case (let before?, let after?): WordMarks.text(WordRun.list(from: before.text, to: after.text))
      case (let copy?, nil), (nil, let copy?): copy.text
      case (nil, nil): ""
      }
    let came = text.text(.arrivedAt, ["time": time(arrival.arrivedAt)])
    return compared(words, after: Line()) + [Line(came, theme.quiet)]
  }

  private func style(of kind: Arrival.Kind) -> Style {
    switch kind {
    case .added: theme.added
    case .completed, .settled: theme.good
    case .reopened, .edited: theme.waiting
    case .deleted: theme.removed
    }
  }
}

// MARK: The history of an item

extension PaneView {
  /// The width of the widest time among the versions.
  func timeColumns(of versions: [ItemVersion]) -> Int { versions.map { TextWidth.columns(of: when($0)) }.max() ?? 0 }

  /// When a version was made, where, and what it was. Only some times have a date before them: they end below each
  /// other, `timeColumns` in.
  func line(of version: ItemVersion, timeColumns: Int) -> Line {
    let time = when(version)
    let space = String(repeating: " ", count: max(0, timeColumns - TextWidth.columns(of: time)))
    var line = Line(space + time, theme.quiet)
    let origins = [RowOrigin.here, .server, .merge].map { TextWidth.columns(of: text.word(for: $0)) }
    let start = line.columns + 2
    line.append("  " + text.word(for: version.origin))
    line.pad(to: start + (origins.max() ?? 0))
    line.append("  " + text.words(for: version.copy))
    return line
  }

  /// The differences from the version before.
  func whole(_ version: ItemVersion, in choice: Choice<ItemVersion>) -> [Line] {
    let before = choice.elements.dropFirst(choice.index + 1).first?.copy
    guard let copy = version.copy, let before, before != copy else {
      return wrapped(text.words(for: version.copy), after: Line())
    }
    var lines: [Line] = []
    if before.text != copy.text {
      let runs = WordMarks.text(WordRun.list(from: before.text, to: copy.text))
      lines += compared(runs, after: Line(text.name(of: .text), theme.quiet))
    }
    if before.complete != copy.complete {
      let words = text.words(forState: before) + " → " + text.words(forState: copy)
      lines += wrapped(
        brush.charset == .utf8 ? words : words.replacingArrow, after: Line(text.name(of: .complete), theme.quiet))
    }
    return lines
  }

  func when(_ version: ItemVersion) -> String {
    guard let moment = version.madeAt else { return text.text(.timeUnknown) }
    return LocalMoment.text(ofChange: moment, today: LocalMoment(brush.now.date))
  }
}

// MARK: Requests to the server

extension PaneView {
  /// When it was asked, how it was answered and in what time, and what it was.
  func line(of request: RequestRecord) -> Line {
    var line = Line(LocalMoment(request.startedAt.date).time(), theme.quiet)
    line.append("  " + outcome(of: request), request.outcome.isGood ? theme.good : theme.bad)
    line.pad(to: 7 + max(9, TextWidth.columns(of: text.text(.logFailed))))
    line.append(
      String(repeating: " ", count: max(0, 7 - String(request.milliseconds).count)) + "\(request.milliseconds) ms")
    line.append("  " + request.verb + " " + request.path)
    return line
  }

  func whole(_ request: RequestRecord) -> [Line] {
    let reason: String
    if case .failed(let words) = request.outcome { reason = words } else { reason = "" }
    let sizes = text.text(
      .logSizes, ["sent": text.bytes(request.bytesSent), "received": text.bytes(request.bytesReceived)])
    return wrapped(request.path, after: Line(request.verb, theme.quiet))
      + wrapped([reason, sizes].filter { !$0.isEmpty }.joined(separator: glyphs.separator), after: Line(), theme.quiet)
  }

  private func outcome(of request: RequestRecord) -> String {
    switch request.outcome {
    case .status(let status): String(status)
    case .failed: text.text(.logFailed)
    }
  }
}

extension WaitingChange {
  fileprivate var badge: Badge {
    switch reason {
    case .nextRefresh: .waiting
    case .noAnswer: .inFlight
    case .conflict, .held: .conflict
    case .refused: .refused
    }
  }
}

extension String {
  fileprivate var replacingArrow: String {
    split(separator: "→", omittingEmptySubsequences: false).joined(separator: "->")
  }
}

extension RequestRecord.Outcome {
  /// 304 and what begins with 2 are as hoped for.
  fileprivate var isGood: Bool {
    if case .status(let status) = self { (200..<300).contains(status) || status == 304 } else { false }
  }
}

/// Everything known about an item.
struct DetailView: View {
  let detail: ItemDetail
  /// Without a server nothing waits for one, and nothing is said of it.
  let hasServer: Bool
  let brush: Brush

  func draw(from first: Int, on frame: inout Frame, height: Int) {
    let lines = lines
    let top = max(0, min(first, lines.count - height))
    frame.cursor = Frame.Cursor(row: frame.lines.count, column: 0, isVisible: false)
    frame.lines += lines.dropFirst(top).prefix(height).map(cut)
  }

  private var lines: [Line] { wrapped(detail.item.line, after: Line(), theme.title) + noteLines + [Line()] + factLines }

  /// The first of the lines on the last page.
  func lastPage(height: Int) -> Int { max(0, lines.count - height) }

  /// Each with its label beside it.
  var factLines: [Line] {
    let facts = facts
    let width = min(columns / 2, facts.map { TextWidth.columns(of: $0.0) }.max() ?? 0)
    return facts.flatMap { labelled($0.0, $0.1, width: width) }
  }

  var noteLines: [Line] { detail.item.hasNote ? written(ItemText(detail.item.text).note) : [] }

  var facts: [(String, String)] {
    text.facts(of: detail, now: brush.now.date, today: brush.today, hasServer: hasServer)
  }
}
