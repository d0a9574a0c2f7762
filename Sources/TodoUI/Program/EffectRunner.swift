import Dispatch
import FoundationEssentials
import OfflineSync
import TodoCore

/// Carries out the effects that `update` returns.
final class EffectRunner {
  private let list: TodoList
  private let inbox: Inbox
  private let describe: @Sendable (any Error) -> String
  private let reader: PageReader
  private let counter: ListCounter
  private let searcher: Searcher
  /// For work that need not be done before the next key.
  private let background = DispatchQueue(label: "ebb.background", qos: .utility)
  /// The last refresh that was requested.
  private var refresh: Cancellation?
  private var verification: Cancellation?

  init(list: TodoList, inbox: Inbox, describe: @escaping @Sendable (any Error) -> String) {
    self.list = list
    self.inbox = inbox
    self.describe = describe
    let reader = PageReader(
      items: { try list.items($0, $1, count: $2) },
      item: { try list.item($0) })
    self.reader = reader
    counter = ListCounter(list: list, inbox: inbox, describe: describe)
    searcher = Searcher(inbox) { search in
      do {
        return .found(search, try reader.read(search.request, of: search.query))
      } catch {
        return .failed(describe(error))
      }
    }
  }

  /// Returns the answer if there is one at once. Reads of a few rows and writes are done before it returns.
  func perform(_ effect: Effect) -> Message? {
    do {
      return try attempt(effect)
    } catch TodoError.overtaken(let text) {
      return .overtaken(text: text)
    } catch {
      return .failed(describe(error))
    }
  }

  /// Waits until the background work is done: saving drafts and marking items as seen.
  func finish() {
    background.sync {}
  }

  private func attempt(_ effect: Effect) throws -> Message? {
    if let change = effect.change { return try change(list) }
    if case .search(let search) = effect { return searcher.search(search) }
    if let reading = effect.reading { return try reading(list, reader) }
    begin(effect)
    return nil
  }

  /// Starts work that takes longer. Its results come through the inbox.
  private func begin(_ effect: Effect) {
    switch effect {
    case .count(let query, let item): counter.count(query, locate: item)
    case .refresh(let options): refresh = list.refresh(options) { [inbox] event in inbox.post(.refresh(event)) }
    case .stopRefresh: refresh?.cancel()
    case .verify: verification = list.verify { [inbox] event in inbox.post(.verified(event)) }
    case .stopVerifying: verification?.cancel()
    case .prepare(let order, let view): later { try $0.prepare(order, view: view) }
    case .markSeen(let ids): later { try $0.markSeen(ids) }
    case .saveDraft(let draft): later { try $0.saveDraft(draft) }
    case .noteHistory(let line): later { try $0.noteHistory(line) }
    case .remember(let name, let value): later { try $0.remember(name.text, value) }
    case .readCompletions(let prefix): readCompletions(of: prefix)
    default: break
    }
  }

  private func readCompletions(of prefix: String) {
    background.async { [list, inbox] in
      let words = (try? list.words(beginning: prefix)) ?? []
      inbox.post(.completionsRead(of: prefix, words))
    }
  }

  private func later(_ work: @escaping @Sendable (TodoList) throws -> Void) {
    background.async { [list, inbox, describe] in
      do { try work(list) } catch { inbox.post(.failed(describe(error))) }
    }
  }
}

extension TodoList {
  /// The words in use that begin so, `+` or `@` included, most used first.
  fileprivate func words(beginning prefix: String) throws -> [String] {
    let beginning = String(prefix.dropFirst())
    let words = prefix.first == "@" ? try contexts(beginning: beginning) : try projects(beginning: beginning)
    return words.filter { $0 != prefix }
  }
}
