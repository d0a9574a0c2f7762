import Terminal
import TodoCore
import Words

/// The status line.
struct StatusView: View {
  let sync: Syncing
  let size: Size
  let brush: Brush

  /// The status line: what waits, what needs a decision, how the connection is, and when the server was heard last.
  /// The longest form that fits.
  func line() -> Line {
    // While all is well the words for what waits say more than those for the weather.
    let forms = Form.allCases.filter { $0 != .signsAndConnection || connection?.next != nil }.map {
      joined(parts($0))
    }
    return forms.first { $0.columns <= columns } ?? cut(forms.last ?? Line())
  }

  private var connection: ConnectionStatus? { sync.connection(at: brush.now) }

  /// How much is said.
  private enum Form: CaseIterable {
    /// The connection with its reason and the next step.
    case whole
    /// Signs for what waits, and the whole weather.
    case signsAndConnection
    /// Words for what waits, and the connection without its reason.
    case brief
    /// Signs in place of words.
    case signs

    var countsInSigns: Bool { self == .signs || self == .signsAndConnection }
    var hasWholeConnection: Bool { self == .whole || self == .signsAndConnection }
  }

  private func joined(_ parts: [Line]) -> Line {
    var line = Line()
    for part in parts where part.columns > 0 {
      if line.columns > 0 { line.append(glyphs.separator, theme.quiet) }
      line.append(part)
    }
    return line
  }

  private func parts(_ form: Form) -> [Line] {
    let progress = sync.refresh.isRunning ? [RefreshView(sync: sync, brush: brush).progressLine()] : []
    guard let status = sync.status?.sync else { return progress + [Line(text.text(.statusReading))] }
    return progress + counts(status, form) + [connection(form), lastSync(form)]
  }

  private func counts(_ status: SyncStatus, _ form: Form) -> [Line] {
    let isShort = form.countsInSigns
    var parts: [Line] = []
    if isShort {
      parts.append(Line(glyphs.waiting + text.number(sync.toSend), sync.toSend > 0 ? theme.waiting : .plain))
    } else if sync.toSend == 0 {
      parts.append(Line(text.text(.statusNothingToSend)))
    } else {
      parts.append(Line(text.text(.statusToSend, count: sync.toSend), theme.waiting))
    }
    if status.conflicts > 0 {
      let words =
        isShort ? glyphs.conflict + text.number(status.conflicts) : text.text(.statusConflicts, count: status.conflicts)
      parts.append(Line(words, theme.conflict))
    }
    if status.refused > 0 {
      let words =
        isShort ? glyphs.refused + text.number(status.refused) : text.text(.statusRefused, count: status.refused)
      parts.append(Line(words, theme.refused))
    }
    if sync.arrived > 0 && size.rows < NoticeView.rowsForArrivals {
      let words =
        isShort ? glyphs.arrived + text.number(sync.arrived) : text.text(.statusArrived, count: sync.arrived)
      parts.append(Line(words, theme.arrived))
    }
    return parts
  }

  /// While a refresh runs its progress says enough.
  private func connection(_ form: Form) -> Line {
    guard let connection = connection, connection.word != .syncing else { return Line() }
    return Line(
      text.words(for: connection, isWhole: form.hasWholeConnection, refresh: key(.common(.refresh))),
      style(of: connection.word))
  }

  private func style(of word: ConnectionStatus.Word) -> Style {
    switch word {
    case .online: theme.good
    case .offline, .busy: theme.warning
    case .signInRefused, .notAllowed, .failing: theme.bad
    case .noServer, .neverSynced, .notAsked, .syncing: .plain
    }
  }

  /// The age of the last sync that ended well, by the clock on the wall.
  private func lastSync(_ form: Form) -> Line {
    guard let status = sync.status, let last = status.lastSync else { return Line() }
    let time = last.text(today: status.now)
    return Line(form == .signs ? time : text.text(.statusSynced, ["time": time]))
  }
}
