import FoundationEssentials
import TodoCore

/// Does to the list what `update` asks for.
final class Performer {
  private let list: TodoList
  private let inbox: Inbox
  private let describe: @Sendable (any Error) -> String
  private let reader: RowReader
  private let surveyor: Surveyor
  /// The last refresh that was asked for.
  private var refresh: RunningRefresh?

  init(
    list: TodoList, inbox: Inbox, describe: @escaping @Sendable (any Error) -> String,
    clock: @escaping @Sendable () -> Date
  ) {
    self.list = list
    self.inbox = inbox
    self.describe = describe
    reader = RowReader(
      items: { try list.items($0, $1, count: $2) },
      item: { try list.item($0) })
    surveyor = Surveyor(list: list, inbox: inbox, describe: describe, clock: clock)
  }

  /// The answer, when there is one at once. Reads of a few rows and writes of one are done here and now.
  func perform(_ effect: Effect) -> Message? {
    do {
      return try attempt(effect)
    } catch TodoError.overtaken(let text) {
      return .overtaken(text: text)
    } catch {
      return .failed(describe(error))
    }
  }

  private func attempt(_ effect: Effect) throws -> Message? {
    switch effect {
    case .add(let text): return .added(try list.add(text))
    case .edit(let id, let text, let seen): try list.edit(id, text: text, seen: seen)
    case .setComplete(let id, let complete): try list.setComplete(id, complete)
    case .delete(let id): try list.delete(id)
    case .undo: return try reversed(.undo, try list.undo())
    case .redo: return try reversed(.redo, try list.redo())
    case .readConflicts: return .conflictsRead(try list.conflicts())
    case .resolve(let id, let decision):
      try list.resolve(id, decision)
      return .resolved
    case .read(let query, let request): return .rowsRead(request, try reader.read(request, of: query))
    case .survey(let query, let item):
      surveyor.survey(query, locate: item)
      return nil
    case .refresh(let wish):
      refresh = list.refresh(wish) { [inbox] event in inbox.post(.refresh(event)) }
      return nil
    case .stopRefresh:
      refresh?.cancel()
      return nil
    case .redraw, .suspend, .quit: return nil
    }
    return .changed
  }

  private func reversed(_ direction: TodoReversal.Direction, _ reversal: TodoReversal?) throws -> Message {
    .reversed(direction, reversal, try reversal.flatMap { try list.item($0.itemID) })
  }
}
