import FoundationEssentials
package import OfflineSync
package import TableProtocol

/// The to-do list. All of its calls but a refresh work without a network.
///
/// Every call goes straight to the local store, from any thread, and is durable when it returns.
/// Errors are `TodoError`, or `StoreError` when the store itself fails; then nothing has changed.
package struct TodoList: Sendable {
  /// The name of the table on the wire and in the store.
  package static let table = "TodoItem"

  let context: SyncContext
  let items: SyncTable
  /// The present day, from which `due:fri` is resolved.
  private(set) var today: @Sendable () -> CalendarDay
  let drafts: DraftKeeper

  /// `run` tells the drafts of this program from those of others.
  package init(
    context: SyncContext, run: ProgramRun = .own, today: @escaping @Sendable () -> CalendarDay = { CalendarDay(Date()) }
  ) {
    self.context = context
    self.today = today
    drafts = DraftKeeper(run)
    items = context.table(Self.table)
  }

  /// Returns the same list for changes that were typed on this day: `due:fri` in them is resolved from there.
  package func typed(on day: CalendarDay) -> TodoList {
    var list = self
    list.today = { day }
    return list
  }

  /// Adds an item. `line` is the typed text; it is added to the entered lines in the same transaction.
  @discardableResult
  package func add(_ text: String, typed line: String? = nil) throws -> TodoItem {
    let text = try TodoText.checked(text, today: today())
    let record = try items.insert(TodoColumn.newItem(text)) {
      try drafts.savedNew(in: $0)
      try noteHistory(line, in: $0)
    }
    return TodoItem(record, .waiting(.insert))
  }

  /// Changes the text of an item. `seen` is the text when the edit began. If the item has another text now, the two
  /// edits are merged. Throws `TodoError.overtaken` if they do not merge, and `.notFound`. `line` as for `add`. Returns
  /// false if the item has this text already: then there is nothing to undo.
  @discardableResult
  package func edit(_ id: RecordID, text: String, seen: String? = nil, typed line: String? = nil) throws -> Bool {
    let text = try TodoText.checked(text, today: today())
    return try explaining {
      try items.update(id, [TodoColumn.text: .text(text)], seen: seen.map { [TodoColumn.text: .text($0)] }) {
        try drafts.savedItem(id, text, in: $0)
        try noteHistory(line, in: $0)
      }
    }
  }

  /// Throws `TodoError` if the item was deleted or changed meanwhile, by a sync or another program.
  private func explaining<Result>(_ change: () throws -> Result) throws -> Result {
    do {
      return try change()
    } catch SyncTableError.notFound {
      throw TodoError.notFound
    } catch SyncTableError.overtaken(let row) {
      throw TodoError.overtaken(text: row.values[TodoColumn.text]?.text ?? "")
    }
  }
}

/// The user's columns of the table.
enum TodoColumn {
  static let text = TodoField.text.rawValue
  static let complete = TodoField.complete.rawValue

  /// The columns of a new item.
  static func newItem(_ text: String) -> [String: FieldValue] { [Self.text: .text(text), complete: .bool(false)] }
}

extension TodoList {
  /// The table with its columns, each with the value of a row that has none.
  package static let definition = SyncTableDefinition(
    table, columns: [TodoColumn.text: .text(""), TodoColumn.complete: .bool(false)])
}

package enum TodoError: Error, Sendable, Hashable {
  /// The text has only white space.
  case emptyText
  /// No item has this id or begins with this handle; it may have been deleted meanwhile.
  case notFound
  /// A sync or another program changed the text since the edit began. Holds the present text.
  case overtaken(text: String)
  /// Several items begin with this handle.
  case ambiguousHandle([TodoItem])
  /// The item waits for no decision any more.
  case nothingToDecide
  /// The conflict is another one than the user saw. Nothing was decided.
  case conflictChanged
  /// The server refused the change, so both can't be kept. Nothing was decided.
  case bothRefused
  /// The number of changes that wait to be sent and would be lost, and of those that wait for a person: the conflicts,
  /// and what is held since the server went back.
  case changesWait(Int, conflicts: Int = 0, held: Int = 0)
  /// Another program syncs this list for too long.
  case otherProgramSyncs
}
