import OfflineSync
import TableProtocol

extension TodoList {
  /// A handle is never shorter, so that it still names the same item when the list has grown.
  private static let shortestHandle = 4

  /// The shortest beginning of the item's id that no other item's id has, of four characters or more.
  package func handle(of id: String) throws -> String {
    let near = try context.store.read {
      try $0.ids(beginning: String(id.prefix(Self.shortestHandle)), in: Self.table)
    }
    return Self.handles(near)[id] ?? id
  }

  /// The handles of all items by id.
  package func handles() throws -> [String: String] {
    Self.handles(try context.store.read { try $0.ids(beginning: "", in: Self.table) })
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

  /// In the order of ids an item's nearest look-alike is one of its two neighbours.
  static func handles(_ sortedIDs: [String]) -> [String: String] {
    var handles: [String: String] = [:]
    handles.reserveCapacity(sortedIDs.count)
    var sharedWithPrevious = 0
    for (index, id) in sortedIDs.enumerated() {
      let next = index + 1 < sortedIDs.count ? sortedIDs[index + 1] : ""
      let sharedWithNext = zip(id.utf8, next.utf8).prefix { $0 == $1 }.count
      let length = max(sharedWithPrevious, sharedWithNext) + 1
      handles[id] = String(decoding: id.utf8.prefix(max(length, shortestHandle)), as: UTF8.self)
      sharedWithPrevious = sharedWithNext
    }
    return handles
  }
}
