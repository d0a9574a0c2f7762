import Dispatch
import FoundationEssentials
import OfflineSync
import TableProtocol
import TodoCore

/// Carries out what the model asks of the store and of the server.
final class EffectRunner {
  private let list: TodoList
  private let inbox: Inbox
  private let describe: @Sendable (any Error) -> String
  private let signInProblem: @Sendable () -> String?
  private let reader: PageReader
  private let counter: ListCounter
  private let searcher: Searcher
  private let panels: LatestWork<[String]>
  private let sides: LatestWork<RecordID>
  private let marks: LatestWork<(ids: [RecordID], query: TodoQuery)>
  /// Notes are written one after the other, and before the next change.
  private let notes = DispatchQueue(label: "ebb.notes", qos: .utility)
  /// For work that need not be done before the next key.
  private let background = DispatchQueue(label: "ebb.background", qos: .utility)
  /// The last refresh that was requested.
  private var refresh: Cancellation?
  private var verification: Cancellation?
  private var notices: (any NoticeConnection)?
  /// Those before it.
  private var closing = ClosingConnections()

  /// `describe` makes a sentence of an error the list throws. `signInProblem` says why the last sync found no sign-in.
  /// Both are called from any thread.
  init(
    list: TodoList, inbox: Inbox, describe: @escaping @Sendable (any Error) -> String,
    signInProblem: @escaping @Sendable () -> String?
  ) {
    self.list = list
    self.inbox = inbox
    self.describe = describe
    self.signInProblem = signInProblem
    let reader = PageReader(
      items: { try list.items($0, $1, count: $2) },
      item: { try list.item($0) })
    self.reader = reader
    // One after the other: while both look at the whole list, a core is left for the keys.
    let counting = DispatchQueue(label: "ebb.count", qos: .utility)
    counter = ListCounter(counting, list: list, inbox: inbox, describe: describe)
    panels = LatestWork(counting, rest: .long) { filters in
      // Counts that can't be had are left out: what is wrong with the store is said by those who read the rows.
      if let contents = try? list.panelContents(filters: filters) { inbox.post(.read(.panel(contents))) }
    }
    sides = LatestWork(DispatchQueue(label: "ebb.side", qos: .userInitiated)) { id in
      if let contents = try? list.sideContents(of: id) { inbox.post(.read(.side(contents))) }
    }
    marks = LatestWork(counting, rest: .long) { ids, query in
      // Errors of the store are reported by those who read the rows.
      if let left = try? list.marked(ids, in: query) { inbox.post(.read(.marked(left, of: ids))) }
    }
    searcher = Searcher(inbox) { search in
      do {
        return .read(.search(search, try reader.read(search.request, of: search.query)))
      } catch {
        return .failed(describe(error))
      }
    }
  }

  /// Waits until no refresh and no comparison runs, the sync lock is free, and no connection is open: cancel and close
  /// them first. Each then ends at its next safe point; one that does not reach it in time is not waited for.
  func waitUntilIdle(milliseconds: Int) {
    let isIdle = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { [list, closing] in
      list.waitUntilIdle()
      closing.waitUntilClosed(milliseconds: milliseconds)
      isIdle.signal()
    }
    _ = isIdle.wait(timeout: .now() + .milliseconds(milliseconds))
  }

  /// Waits until what was noted so far is written.
  func writeNotes() { notes.sync {} }

  /// How long a server may take to hear that the list is left: milliseconds.
  private static let longestGoodbye = 200

  /// Waits until what was noted is written: drafts, and what was seen.
  func finish() {
    stopListening()
    notes.sync {}
    background.sync {}
    closing.waitUntilClosed(milliseconds: Self.longestGoodbye)
  }

  /// Returns the answer if there is one at once: reads of a few rows are done before it returns. The answers of
  /// longer reads come through the inbox.
  func perform(_ reading: Reading) -> Message? {
    do {
      return try attempt(reading)
    } catch {
      return .failed(describe(error))
    }
  }

  /// Returns when it is done. A draft that was noted before is written first: the change may be its end. Dates in its
  /// texts count from `day`. `progress` is called on the way if the change is of many items, and may stop it.
  func perform(
    _ change: Change, typedOn day: CalendarDay, progress: (BulkProgress) -> BulkProgress.Answer
  ) -> Message {
    notes.sync {}
    do {
      let list = list.typed(on: day)
      return .done(try OwnChange.$isBeingMade.withValue(true) { try list.perform(change, progress: progress) })
    } catch TodoError.overtaken(let text) {
      return .done(.overtaken(text: text))
    } catch TodoError.notFound where change.isEdit {
      return .done(.editedGone)
    } catch {
      return .failed(describe(error))
    }
  }

  /// Returns at once.
  func perform(_ note: Note) {
    switch note {
    case .seen(let ids): later(on: notes) { try $0.markSeen(ids) }
    case .drafts(let drafts): later(on: notes) { try $0.saveDrafts(drafts) }
    case .lent(let target, let text, let path): later(on: notes) { try $0.lendText(text, for: target, path: path) }
    case .takenBack: later(on: notes) { try $0.takeBackText() }
    case .refuseDraft: later(on: notes) { try $0.refuseDraft() }
    case .line(let line, let kind): later(on: notes) { try $0.noteHistory(line, of: kind) }
    case .memory(let name, let value): later(on: notes) { try $0.remember(name.text, value) }
    }
  }

  /// Returns at once.
  func perform(_ effect: SyncEffect) {
    switch effect {
    case .refresh(let options):
      refresh = list.refresh(options) { [report] event in report(.refresh(event)) }
    case .stopRefresh: refresh?.cancel()
    case .verify:
      verification = list.verify { [report] event in report(.verified(event)) }
    case .stopVerifying: verification?.cancel()
    case .listen(let number):
      // The former one ended by itself, and may still hold its socket.
      stopListening()
      notices = list.listen { [inbox] event in inbox.post(.noticed(event, connection: number)) }
      if notices == nil { inbox.post(.noticed(.ended(.notOffered), connection: number)) }
    case .stopListening: stopListening()
    }
  }

  /// Posts an event of a sync. If it found no sign-in, the reason comes first.
  private var report: @Sendable (Message) -> Void {
    let (inbox, signInProblem) = (inbox, signInProblem)
    return { message in
      if message.lacksSignIn { inbox.post(.signInMissing(signInProblem())) }
      inbox.post(message)
    }
  }

  private func stopListening() {
    guard let open = notices else { return }
    open.close()
    closing.append(open)
    notices = nil
  }

  private func attempt(_ reading: Reading) throws -> Message? {
    switch reading {
    case .opening(let count):
      let view = try list.firstView()
      let query = TodoQuery(view: view, order: view == .agenda ? .due : .created)
      return .read(.opening(view, try reader.read(.first(count: count), of: query)))
    case .rows(let query, let request): return .read(.rows(request, try reader.read(request, of: query)))
    case .search(let search): return searcher.search(search)
    case .marks(let query, let request, let command):
      return .read(.marks(try reader.marks(request, of: query), then: command))
    case .arrival(let query, let item, let backward):
      return .read(.arrival(try list.arrival(from: item, in: query, backward: backward)))
    case .conflicts: return .read(.conflicts(try list.conflicts()))
    case .item(let id): return .read(.item(id: id, try list.item(id)))
    case .items(let ids, let command): return .read(.items(try ids.compactMap { try list.item($0) }, for: command))
    case .pane(let request): return .read(.pane(try list.content(of: request)))
    case .position(let level): return .read(.position(try list.position(), for: level))
    case .memory: return .read(.memory(try list.memory()))
    case .panel(let filters): panels.ask(filters)
    case .side(let id): sides.ask(id)
    case .marked(let ids, let query): marks.ask((ids, query))
    case .counts(let query, let item, let known): counter.count(query, locate: item, known: known)
    case .prepare(let order, let view): later(on: background) { try $0.prepare(order, view: view) }
    case .draft:
      notes.async { [list, inbox] in
        // Errors of the store are reported by those who read the rows.
        if let draft = try? list.draft() { inbox.post(.read(.draft(draft))) }
      }
    case .completions(let prefix):
      background.async { [list, inbox] in
        inbox.post(.read(.completions(of: prefix, (try? list.words(beginning: prefix)) ?? [])))
      }
    }
    return nil
  }

  private func later(on queue: DispatchQueue, _ work: @escaping @Sendable (TodoList) throws -> Void) {
    queue.async { [list, inbox, describe] in
      do { try work(list) } catch { inbox.post(.failed(describe(error))) }
    }
  }
}

extension Message {
  /// True for the end of a sync or a comparison that found no sign-in.
  fileprivate var lacksSignIn: Bool {
    if case .refresh(.finished(let result)) = self { return result.failure?.lacksSignIn ?? false }
    if case .verified(.finished(.failure(let failure))) = self { return failure.lacksSignIn }
    return false
  }
}
