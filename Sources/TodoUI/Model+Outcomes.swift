import OfflineSync
import TodoCore

/// Outcomes of the changes that this program asked for: each is said, and what it changed is read again.
extension Model {
  /// A change of this program is in the store, or met one of somebody else.
  mutating func take(_ outcome: Outcome) -> [Effect] {
    switch outcome {
    case .added(let items): return finishAdding(items)
    case .changed(let count): return finishChange(of: count)
    case .stopped(let count, let rest): return finishChange(of: count, rest: rest)
    case .edited(let item):
      list.lastChange.turnOut(leaving: [item.text])
      return finishChange(of: 1)
    case .letGo(let item):
      list.letGo(item)
      return settle(1, changed: 0)
    case .resolved(let count, let changed): return settle(count, changed: changed)
    case .reversed(let direction, let reversal, let item): return finishReversal(direction, reversal, of: item)
    case .tookOver(let draft): return takeUp(draft)
    case .overtaken(let text):
      editor.overtake(by: text)
      return screen.say(.editor(.overtaken(text: text)))
    case .editedGone:
      list.lastChange.fail()
      editor.makeNew(at: screen.now)
      return screen.say(.editor(.itemGone)) + reloadAll(atOnce: false)
    }
  }

  /// The new items are in the store. While one item is typed after the other, the next line opens: an empty one ends
  /// that.
  private mutating func finishAdding(_ items: [TodoItem]) -> [Effect] {
    // Text pasted while one item after the other is typed comes before the next of them.
    let isTyped = panes.pasted == nil || editor.editing?.target == .new
    let (tail, next) = (editor.editing?.tail ?? "", editor.editing?.next ?? "")
    let goesOn = isTyped && (editor.editing?.goesOn != false || !next.isEmpty)
    let isAsked = panes.pasted == nil && next.isEmpty
    let addition = ChangeNotice(added: items)
    let warning = (isAsked ? nil : dateWarning(about: items, addition)) ?? doneWarning(about: items, addition)
    finishTyping(goesOn: goesOn)
    if goesOn { editor.openNew(next, tail: tail) }
    if !next.isEmpty { editor.noteTyping(at: screen.now) }
    list.lastChange.request(.added, items.map(\.text))
    list.lastChange.confirm()
    // Where conflicts are decided it is said what is left to decide.
    let answer: Notice? = panes.conflicts == nil ? Notice.change(addition) : nil
    if let said = warning ?? answer { screen.say(said) }
    return list.show(added: items, isLast: !goesOn) + panes.reload
  }

  /// The word in these items that is no date although it begins as one. Nil if there is none. The next addition ends
  /// it: the sentence would seem to be about that one.
  private func dateWarning(about items: [TodoItem], _ addition: ChangeNotice) -> Notice? {
    let unread = items.lazy.compactMap { noDate(in: $0.line) }.first
    return unread.map { Notice.editor(.keptAsText($0, of: addition)) }
  }

  /// How many of these items are done by the lines that they come from: `- [x] milk` or `x milk`. Nil if none are. The
  /// next addition ends it: the undo that it names would take back that one.
  private func doneWarning(about items: [TodoItem], _ addition: ChangeNotice) -> Notice? {
    let lines = items.map(\.line)
    let ticks = panes.pasted?.ticks ?? ListMark.ticks(in: lines)
    // A text that went on behind the pasted lines is an item more than they are.
    let count = lines.indices.count { TodoNotation.looksDone(lines[$0]) || ($0 < ticks.count && ticks[$0]) }
    let marked: MarkedLines? = if let pasted = panes.pasted { pasted.marked } else { MarkedLines(lines) }
    return count == 0 ? nil : Notice.editor(.addedAsOpen(count, of: addition, importKeepsAll: marked != nil))
  }

  private func noDate(in text: String) -> String? {
    TypedDue(text, today: screen.typedOn)?.noDate.map { String(text[$0]) }
  }

  /// The change of so many items is in the store; `rest` were left when it was stopped.
  private mutating func finishChange(of count: Int, rest: Int = 0) -> [Effect] {
    finishTyping()
    list.confirmChange(of: count, rest: rest, &screen)
    return reloadAll()
  }

  /// An undo or a redo is done, or could not be. The list goes to the item that it was about, as that is now.
  private mutating func finishReversal(
    _ direction: UndoResult.Direction, _ reversal: UndoResult?, of item: TodoItem?
  ) -> [Effect] {
    screen.say(.change(reversal.map(ChangeNotice.reversed) ?? .nothingToReverse(direction)))
    let item = reversal?.obstacle == nil ? item : nil
    if direction == .undo, let reversal { panes.choose(restored: reversal.itemID) }
    return (item.map { list.go(to: $0) } ?? list.reload()) + panes.reload
  }

  /// The decision is in the store: the next one is shown, and the list below. Conflicts that `changed` meanwhile are
  /// not decided and are shown again. The text that was typed for one stays in the editor, also if nothing waits for
  /// that decision any more.
  private mutating func settle(_ count: Int, changed: Int) -> [Effect] {
    if count == 0 {
      list.lastChange.fail()
    } else {
      finishTyping()
      list.lastChange.confirm()
    }
    if changed > 0 {
      screen.say(.conflict(.changed(changed)))
    } else if count == 0 {
      screen.say(.conflict(.gone))
    } else if count > 1 {
      screen.say(.conflict(.decidedSeveral(count)))
    } else if count == 1, case .decided(let outcome)? = list.lastChange.confirmed?.kind {
      let words = ItemText(list.lastChange.confirmed?.texts.first ?? "").line
      screen.say(.conflict(.decided(outcome, words, isLast: false)))
    }
    return reloadAll()
  }

  /// The text typed is in the store now. Until then the editor keeps it, whatever fails. `goesOn` is whether the next
  /// text is typed at once.
  private mutating func finishTyping(goesOn: Bool = false) {
    screen.clearNotice()
    sync.noteChange()
    editor.finish(isPasted: panes.pasted != nil)
    panes.closePasted()
    // All panes are read again after a change.
    if !goesOn { _ = panes.comeBack() }
  }

  /// The draft is in the editor. If it was of a conflict and is gone, the conflict is settled from the beginning.
  private mutating func takeUp(_ draft: TodoDraft?) -> [Effect] {
    guard let draft else {
      editor.offer(nil)
      if let conflict = panes.conflicts?.current {
        editor.open(.merge(id: conflict.id), conflict.proposal)
        return []
      }
      return screen.say(.editor(.draftGone)) + panes.comeBack()
    }
    editor.takeUp(draft)
    return [.read(.draft)] + show(draft)
  }
}
