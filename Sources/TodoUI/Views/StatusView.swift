import Terminal
import TodoCore

extension ViewContext {
  /// The status line: what waits, what needs a decision, whether the server is there, and when it was heard last.
  /// The longest form that fits.
  func status() -> Line {
    let short = joined(parts(isShort: true))
    let forms = [joined(parts(isShort: false) + receipt()), joined(parts(isShort: false)), short]
    return forms.first { $0.columns <= columns } ?? cut(short)
  }

  private func joined(_ parts: [Span]) -> Line {
    var line = Line()
    for part in parts {
      if line.columns > 0 { line.append(glyphs.separator, Style(dim: true)) }
      line.append(part)
    }
    return line
  }

  private func parts(isShort: Bool) -> [Span] {
    guard let sync = model.status?.sync else { return progress() + [Span(text.text(.statusReading))] }
    return progress() + counts(sync, isShort: isShort) + server(isShort: isShort)
  }

  private func counts(_ sync: SyncStatus, isShort: Bool) -> [Span] {
    var spans: [Span] = []
    let toSend = Style(color: sync.pending > 0 ? .yellow : nil)
    if isShort {
      spans.append(Span("\(glyphs.waiting)\(sync.pending)", toSend))
    } else if sync.pending == 0 {
      spans.append(Span(text.text(.statusNothingToSend)))
    } else {
      spans.append(Span(text.text(.statusToSend, count: sync.pending), toSend))
    }
    if sync.conflicts > 0 {
      let words =
        isShort ? glyphs.conflict + String(sync.conflicts) : text.text(.statusConflicts, count: sync.conflicts)
      spans.append(Span(words, Style(bold: true, color: .magenta)))
    }
    if sync.refused > 0 {
      let words = isShort ? glyphs.refused + String(sync.refused) : text.text(.statusRefused, count: sync.refused)
      spans.append(Span(words, Style(bold: true, color: .red)))
    }
    return spans
  }

  private func server(isShort: Bool) -> [Span] {
    var spans = [model.connection.map(connection)].compactMap { $0 }
    if let status = model.status, let last = status.lastSync {
      let time = last.text(today: status.now)
      spans.append(Span(isShort ? time : text.text(.statusSynced, ["time": time])))
    }
    return spans
  }

  private func connection(_ connection: Connection) -> Span {
    switch connection {
    case .noServer: Span(text.text(.statusNoServer))
    case .neverSynced: Span(text.text(.statusNeverSynced))
    case .notAsked: Span(text.text(.statusNotAsked))
    case .online: Span(text.text(.statusOnline), Style(color: .green))
    case .offline: Span(text.text(.statusOffline), Style(color: .yellow))
    }
  }

  /// What the last refresh of this session moved, when it ended well.
  private func receipt() -> [Span] {
    guard let result = model.refresh.result, result.failure == nil, !model.refresh.isRunning else { return [] }
    return [
      Span(text.text(.statusSent, ["sent": String(result.pushed)])),
      Span(text.text(.statusReceived, ["received": String(result.pulled)])),
    ]
  }

  private func progress() -> [Span] {
    guard let progress = model.refresh.progress else { return [] }
    let words: String
    switch progress {
    case .starting: words = text.text(.statusStarting)
    case .waitingForOtherProgram: words = text.text(.statusWaiting)
    case .moving(let moved): words = self.words(moved)
    case .stopping: words = text.text(.statusStopping)
    }
    return [Span(Glyphs.spinner(model.refresh.step) + " " + words, Style(bold: true))]
  }

  /// Nothing is counted that has not begun.
  private func words(_ moved: RefreshProgress) -> String {
    let sent = text.text(.statusSentOf, ["sent": String(moved.sent), "toSend": String(moved.toSend)])
    let received = text.text(.statusReceived, ["received": String(moved.received)])
    if moved.toSend == 0 { return moved.received == 0 ? text.text(.statusStarting) : received }
    return sent + glyphs.separator + received
  }
}
