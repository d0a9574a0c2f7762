import OfflineSync
import SQLiteStore
import TableClient
import TableProtocol

/// A shopping list that works offline: `shopping STORE SERVER add milk`, `list`, `bought milk`, `undo`, `sync`, and
/// `keep mine`, `theirs` or `both` for things that were changed here and elsewhere.
@main
struct ShoppingList {
  static let table = SyncTableDefinition("TodoItem", columns: ["text": .text(""), "complete": .bool(false)])

  let context: SyncContext
  var things: SyncTable { context.table(Self.table.name) }

  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 3, let server = RemoteServer(words[1]) else {
      return print("usage: shopping STORE SERVER add|rename|bought|list|undo|sync|keep [WORDS]")
    }
    let context = try SyncContext(tables: [table], store: SQLiteStore(path: words[0]), remote: server)
    try await ShoppingList(context: context).run(words[2], Array(words.dropFirst(3)))
  }

  func run(_ command: String, _ words: [String]) async throws {
    switch (command, words.first) {
    case ("add", _): try things.insert(["text": .text(words.joined(separator: " ")), "complete": .bool(false)])
    case ("bought", let name?): try change(name, ["complete": .bool(true)])
    case ("rename", let name?): try change(name, ["text": .text(words.dropFirst().joined(separator: " "))])
    case ("undo", _): if try things.undo() == nil { print("Nothing to undo.") }
    case ("sync", _): return try await sync()
    case ("keep", "mine"): try resolve(.mine)
    case ("keep", "theirs"): try resolve(.theirs)
    case ("keep", "both"): try resolve(.both)
    default: break
    }
    for thing in try things.read(TableQuery(table: things.name, order: [SortKey("text")])).records {
      print(thing.values["complete"]?.bool == true ? "[x]" : "[ ]", thing.values["text"]?.text ?? "")
    }
  }

  private func change(_ name: String, _ values: [String: FieldValue]) throws {
    let named = TableQuery(table: things.name, filter: .compare("text", .equal, .text(name)))
    try things.update(things.read(named).records.map(\.id)) { _ in values }
  }

  private func resolve(_ resolution: ConflictResolution) throws {
    for conflict in try things.conflicts() { try things.resolve(conflict, resolution) }
  }

  private func sync() async throws {
    let report = await context.sync()
    print("sent \(report.push.accepted), received \(report.pulled), waiting \(try context.pendingCount())")
    for conflict in try things.conflicts() {
      let (mine, theirs) = (conflict.mine?.values["text"]?.text, conflict.theirs?.values["text"]?.text)
      print("conflict: here \(mine ?? "deleted"), there \(theirs ?? "deleted")")
    }
    switch report.failure {
    case nil: break
    case .remote(let failure): print("The server did not answer: \(failure.reason)")
    case let failure?: throw failure
    }
  }
}
