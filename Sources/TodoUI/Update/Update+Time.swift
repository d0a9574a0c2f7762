import Words

extension Model {
  /// The uptime at which something has to happen although nothing came; nil when nothing has. While the list is idle
  /// and synced nothing ever has.
  var nextWake: Int? {
    [
      refresh.isRunning ? refresh.stepDue : nil, pull.deadline, refresh.isRunning ? nil : refresh.receiptUntil,
      refresh.isRunning ? nil : automaticDue, countdownDue, draftDue, seenDue, leaveBy,
    ]
    .compactMap(\.self).min()
  }

  /// Does what has become due.
  mutating func tick() -> [Effect] {
    var effects = turnSpinner()
    if let until = refresh.receiptUntil, until <= now.uptime { refresh.receiptUntil = nil }
    effects += pull.turn(at: now.uptime) ? startRefresh(.pull) : []
    effects += keepDraft() + flushSeen()
    if let due = automaticDue, due <= now.uptime { effects += startAutomatically() }
    if let leaveBy, leaveBy <= now.uptime {
      self.leaveBy = nil
      effects.append(.quit)
    }
    return effects
  }

  private mutating func turnSpinner() -> [Effect] {
    guard refresh.isRunning, refresh.stepDue <= now.uptime else { return [] }
    refresh.step += 1
    refresh.stepDue = now.uptime + Refresh.stepTime
    guard refresh.hasNews else { return [] }
    refresh.hasNews = false
    return reloadAll(atOnce: false)
  }

  /// Before the status was read nobody knows whether there is a server.
  private var automaticDue: Int? { status == nil ? nil : automatic.due }

  /// The next try is told in seconds, or in minutes while it is far.
  private var countdownDue: Int? {
    guard !refresh.isRunning, automatic.isRetry, let due = automatic.due, due > now.uptime else { return nil }
    let left = due - now.uptime
    let step = left > 60_000 ? 60_000 : 1_000
    return due - (left - 1) / step * step
  }

  /// What is to be kept before the program ends, whatever ends it, without waiting for the next pause.
  func lastEffects() -> [Effect] {
    var effects: [Effect] = seen.isEmpty ? [] : [.markSeen(seen)]
    if draftDue != nil, let editing = mode.editing {
      effects.append(.saveDraft(editing.line.text.isEmpty ? nil : editing.draft))
    }
    return effects
  }

  private var seenDue: Int? { seen.isEmpty ? nil : seenSince + 300 }

  /// Rows that were looked at are noted together, at the next pause.
  private mutating func flushSeen() -> [Effect] {
    guard let seenDue, seenDue <= now.uptime else { return [] }
    defer { seen = [] }
    return [.markSeen(seen)]
  }

  /// The text being typed is kept at each pause, so that it outlives the program.
  private mutating func keepDraft() -> [Effect] {
    guard let draftDue, draftDue <= now.uptime else { return [] }
    self.draftDue = nil
    guard let editing = mode.editing else { return [] }
    hasDraft = !editing.line.text.isEmpty
    return [.saveDraft(hasDraft ? editing.draft : nil)]
  }
}
