import TableProtocol
import TodoCore
import Words

/// The items that some handles name, each once, all of them found before the first is changed.
struct NamedItems {
  let list: TodoList
  let items: [(handle: String, item: TodoItem)]
  let layout: OutputLayout

  /// `a1b2,c3d4` names two items, unless an id has a comma. Throws `CommandFailure`.
  init(_ list: TodoList, _ handles: [String], _ layout: OutputLayout) throws {
    self.list = list
    self.layout = layout
    var seen: Set<RecordID> = []
    items = try handles.flatMap { try Self.items(named: $0, in: list) }.filter { seen.insert($0.item.id).inserted }
  }

  private static func items(named word: String, in list: TodoList) throws -> [(handle: String, item: TodoItem)] {
    do {
      return [try item(word, in: list)]
    } catch CommandFailure.unknownHandle where word.contains(",") {
      let parts = word.split(separator: ",").map(String.init)
      guard !parts.isEmpty else { throw CommandFailure.unknownHandle(word) }
      return try parts.map { try item($0, in: list) }
    }
  }

  private static func item(_ handle: String, in list: TodoList) throws -> (handle: String, item: TodoItem) {
    do {
      let item = try list.item(handle: handle)
      return (try list.handle(of: item.id), item)
    } catch TodoError.notFound {
      throw CommandFailure.unknownHandle(handle)
    } catch TodoError.ambiguousHandle(let candidates) {
      throw CommandFailure.ambiguousHandle(handle, candidates)
    }
  }

  /// Changes them as one step, and prints each item as it is then; a deleted one as it was.
  func change(_ change: (TodoList, [RecordID]) throws -> Void) throws {
    try change(list, items.map(\.item.id))
    for (handle, item) in items {
      StandardOutput.report(layout.line(try list.item(item.id) ?? item, handle: handle))
    }
  }

  /// Asks at the terminal whether all of them are to be deleted.
  func agreesToDeletion() -> Bool {
    let catalogue = ErrorMessages.catalogue
    let texts = items.map { "- " + $0.item.line.printable }
    let question = (texts + [catalogue.text(.deleteQuestion, count: items.count)]).joined(separator: "\n")
    StandardOutput.question(question, catalogue.text(.joinChoices))
    return ["y", "yes"].contains(readLine()?.lowercased())
  }
}
