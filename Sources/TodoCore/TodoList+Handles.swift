import OfflineSync
import TableProtocol

extension TodoList {
  /// The handle of one item.
  package func handle(of id: String) throws -> String {
    let near = try context.store.read {
      try $0.ids(beginning: String(id.prefix(Handles.shortest)), in: Self.table)
    }
    return Handles(sortedIDs: near).handle(of: id)
  }

  /// The handles of all items.
  package func handles() throws -> Handles {
    Handles(sortedIDs: try context.store.read { try $0.ids(beginning: "", in: Self.table) })
  }

  /// The item whose id begins so. Throws `TodoError.notFound` or `.ambiguousHandle`.
  package func item(handle: String) throws -> TodoItem {
    let prefix = handle.lowercased()
    guard !prefix.isEmpty else { throw TodoError.notFound }
    let ids = try context.store.read { try $0.ids(beginning: prefix, in: Self.table) }
    let items = try ids.prefix(5).compactMap { try item($0) }
    if let exact = items.first(where: { $0.id == prefix }) { return exact }
    guard let item = items.first else { throw TodoError.notFound }
    guard ids.count == 1 else { throw TodoError.ambiguousHandle(items) }
    return item
  }
}
