import OfflineSync
import Terminal
import TodoCore
import Words

/// The state of the sync: what waits, what needs a decision, how the connection is, and when the server was heard last.
/// Without a server there is nothing to say.
struct StatusView: View {
  let sync: Syncing
  let size: Size
  let hasServer: Bool
  let brush: Brush

  /// For the right end of the title, the longest first; the last one is short enough for any screen. Each is made when
  /// it is asked for: mostly the first one fits.
  var forms: some BidirectionalCollection<Line> { Form.allCases.lazy.map(line) }

  private func line(_ form: Form) -> Line {
    guard hasServer else { return Line() }
    let spinner = sync.refresh.isRunning ? RefreshView(sync: sync, brush: brush).shortProgressLine() : Line()
    return joined([spinner, counts(gap: form == .whole ? "  " : " ")] + connection(form), by: glyphs.separator)
  }

  /// All of it in words, for those who hear it.
  var words: Line {
    guard hasServer else { return Line() }
    guard sync.status != nil else { return Line(text.text(.statusReading)) }
    let progress = sync.refresh.isRunning ? RefreshView(sync: sync, brush: brush).progressLine() : nil
    let last = synced.map { Line(text.text(.statusSynced, ["time": $0])) }
    return joined([progress, countWords, connectionWords, lineWord, last].compactMap(\.self), by: glyphs.separator)
  }

  /// Why the server can't be had, and what comes next; else why it does not say what is new. Nil while all is well.
  var trouble: Line? {
    guard hasServer else { return nil }
    if let connection = connection, connection.next != nil {
      let forms = [true, false].map {
        text.words(for: connection, isWhole: $0, refresh: key(.common(.refresh)))
      }
      return fitting(forms, style(of: connection.word))
    }
    guard !sync.refresh.isRunning, let sentence = sync.line.trouble else { return nil }
    guard sentence == .lineLost else {
      return Line(text.text(sentence, ["refresh": key(.common(.refresh))]), theme.quiet)
    }
    return fitting(text.wordsForLoss(of: sync.line, at: brush.now.uptime), theme.quiet)
  }

  /// The longest form that has room in a row, so that its end is not cut: the end is what comes next.
  private func fitting(_ forms: [String], _ style: Style) -> Line {
    let lines = forms.map { Line($0, style) }
    return lines.first { $0.columns <= columns } ?? lines.last ?? Line()
  }

  /// How much is said.
  private enum Form: CaseIterable {
    case whole
    /// The time of the last sync without a word.
    case brief
    /// The time only while all is well.
    case short
    /// No time.
    case word
    /// Only what waits.
    case signs
  }

  private var connection: ConnectionStatus? { sync.connection(at: brush.now) }

  private func joined(_ parts: [Line], by separator: String) -> Line {
    var line = Line()
    for part in parts where part.columns > 0 {
      if line.columns > 0 { line.append(separator, theme.quiet) }
      line.append(part)
    }
    return line
  }

  /// `↑3 ≠1`; nothing where nothing waits.
  private func counts(gap: String) -> Line {
    guard let status = sync.status?.sync else { return Line() }
    let isSmall = size.rows < NoticeView.rowsForArrivals
    let counts = [
      (glyphs.waiting, sync.toSend, theme.waiting), (glyphs.conflict, status.conflicts, theme.conflict),
      (glyphs.refused, status.refused, theme.refused), (glyphs.arrived, isSmall ? sync.arrived : 0, theme.arrived),
    ]
    let lines = counts.filter { $0.1 > 0 }.map { Line($0.0 + text.number($0.1), $0.2) }
    return joined(lines, by: gap)
  }

  private var countWords: Line {
    guard let status = sync.status?.sync else { return Line() }
    let counts = [
      sync.toSend == 0 ? text.text(.statusNothingToSend) : text.text(.statusToSend, count: sync.toSend),
      status.conflicts > 0 ? text.text(.statusConflicts, count: status.conflicts) : nil,
      status.refused > 0 ? text.text(.statusRefused, count: status.refused) : nil,
    ]
    return joined(counts.compactMap(\.self).map { Line($0) }, by: glyphs.separator)
  }

  /// One word where not all is well, and when the server was heard last. While a refresh runs its progress says enough.
  private func connection(_ form: Form) -> [Line] {
    guard let connection = connection, form != .signs else { return [] }
    let said = connection.word.isWorthSaying ? connection.word.key : nil
    let word = said.map { Line(text.text($0), style(of: connection.word)) } ?? (sync.refresh.isRunning ? nil : lineWord)
    let hasTime = !sync.refresh.isRunning && form != .word && (word == nil || form != .short)
    return [word, hasTime ? lastSync(form) : nil].compactMap(\.self)
  }

  /// How the connection for notices is; nil if none is wanted. It brings nothing while a person has to do something first.
  private var lineWord: Line? {
    guard let word = sync.line.word else { return nil }
    if sync.automatic.waitsForPerson { return Line(text.text(.lineWaitsForPerson), theme.warning) }
    return Line(text.text(word), style(of: sync.line))
  }

  private func style(of line: NoticeLine) -> Style {
    switch line.state {
    case .live: theme.good
    case .heldBack: theme.warning
    case .connecting, .asked, .waiting: line.isTryingAgain ? theme.warning : theme.quiet
    case .notSignedIn, .noSignIn: theme.bad
    case .off, .paused, .notOffered: theme.quiet
    }
  }

  private var connectionWords: Line? {
    guard let connection = connection, connection.word != .syncing else { return nil }
    return Line(
      text.words(for: connection, isWhole: true, refresh: key(.common(.refresh))), style(of: connection.word))
  }

  private func style(of word: ConnectionStatus.Word) -> Style {
    switch word {
    case .online: theme.good
    case .offline, .busy: theme.warning
    case .noSignIn, .signInRefused, .notAllowed, .failing: theme.bad
    case .noServer, .neverSynced, .notAsked, .syncing: theme.quiet
    }
  }

  /// When the last sync ended well, by the clock on the wall.
  private func lastSync(_ form: Form) -> Line? {
    synced.map { Line(form == .whole ? text.text(.statusSynced, ["time": $0]) : $0, theme.quiet) }
  }

  private var synced: String? {
    sync.status.flatMap { status in status.lastSync.map { $0.text(today: status.now) } }
  }
}

extension Catalogue {
  /// Why the connection for notices was lost, and when it is tried again, the longest first.
  fileprivate func wordsForLoss(of line: NoticeLine, at uptime: Int) -> [String] {
    let time = line.secondsLeft(at: uptime).map { ["time": span(seconds: $0)] as KeyValuePairs }
    let whole = sentences(loss(of: line), time.map { text(.failureNextTry, $0) } ?? text(.failureTriesNow))
    let next = time.map { text(.connectionNextTry, $0) }
    let parts = [text(.lineNotLive), line.cause.flatMap(shortCause), next]
    return [parts, [parts[0], next]].reduce(into: [whole]) {
      $0.append($1.compactMap(\.self).joined(separator: text(.listSeparator)))
    }
  }

  /// One or two sentences: that it was lost, and why. The wait that a busy server asks for is part of the next try,
  /// which may be later.
  func loss(of line: NoticeLine) -> String {
    line.cause.map { text(.lineBecause, ["reason": reason($0, saysTime: false)]) } ?? text(.lineLost)
  }

  private func shortCause(_ cause: RemoteFailure.Reason) -> String? {
    if let short = shortReason(cause, saysTime: false) { return short }
    if case .busy = cause { return text(.connectionBusy) } else { return nil }
  }
}

extension NoticeLine {
  /// The word for the title; nil if nobody wants notices.
  var word: StringKey? {
    switch state {
    case .off, .paused: nil
    case .connecting, .asked, .waiting: isTryingAgain ? .lineNotLive : .lineConnecting
    case .live: .lineLive
    case .notSignedIn, .noSignIn, .notOffered: .lineNotLive
    case .heldBack: .linePolls
    }
  }

  /// Why there are no notices, and what comes next; nil while there are, or may be in a moment.
  var trouble: StringKey? {
    switch state {
    case .off, .paused, .live: nil
    case .connecting, .asked, .waiting: isTryingAgain ? .lineLost : nil
    case .heldBack: .lineHeldBack
    case .notSignedIn: .lineNotSignedIn
    case .noSignIn: .lineNoSignIn
    case .notOffered: .lineNotOffered
    }
  }
}
