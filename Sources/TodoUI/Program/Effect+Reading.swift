import TodoCore

extension Effect {
  /// What it reads here and now, few rows all of it; nil when it reads nothing.
  var reading: ((TodoList, PageReader) throws -> Message?)? {
    switch self {
    case .read(let query, let request): { .rowsRead(request, try $1.read(request, of: query)) }
    case .readConflicts: { list, _ in .conflictsRead(try list.conflicts()) }
    case .readMarks(let query, let request, let command):
      { list, reader in .marksRead(try reader.marks(request, of: query), then: command) }
    case .findArrival(let query, let item, let backward):
      { list, _ in .arrivalFound(try list.arrival(from: item, in: query, backward: backward)) }
    case .readPane(let request): { list, _ in .paneRead(try list.content(of: request)) }
    case .readMemory: { list, _ in .memoryRead(try list.memory()) }
    default: nil
    }
  }
}

extension TodoList {
  /// The next one that arrived; past the last one it begins anew. Nil when there is no other.
  fileprivate func arrival(from item: TodoItem?, in query: TodoQuery, backward: Bool) throws -> TodoItem? {
    if let next = try nextArrival(after: item, in: query, backward: backward) { return next }
    return try nextArrival(after: nil, in: query, backward: backward).flatMap { $0.id == item?.id ? nil : $0 }
  }

  /// More are not shown at once; how many there are is told.
  private static let longestPane = 1_000

  fileprivate func content(of request: PaneRequest) throws -> PaneContent {
    switch request {
    case .outbox: return .outbox(try outbox(limit: Self.longestPane), total: try outboxCount())
    case .digest: return .digest(try arrivals())
    case .log: return .log(try requests(limit: Self.longestPane))
    case .story(let id):
      guard let item = try item(id) else { return .gone }
      return .story(item, try story(of: id))
    case .detail(let id):
      guard let item = try item(id) else { return .gone }
      return .detail(
        ItemDetail(
          item: item, handle: try handle(of: id), change: try outbox(limit: Self.longestPane).first { $0.id == id },
          versions: try story(of: id).count))
    }
  }

  fileprivate func memory() throws -> Memory {
    var memory = Memory(history: try history(), draft: try draft())
    for name in Memory.Name.allCases { memory.values[name] = try remembered(name.text) }
    return memory
  }
}
