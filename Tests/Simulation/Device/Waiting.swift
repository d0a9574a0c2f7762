import OfflineSync
import TableProtocol

/// What a device alone has: it would be gone if the device dropped its journal.
struct Waiting {
  private(set) var words: Set<String> = []
  /// Rows it deleted, of which its server may not know yet.
  private(set) var deletions: [RecordID] = []
  /// Rows with changes of any kind.
  private(set) var items: Set<RecordID> = []

  init(on device: SimulatedDevice, _ server: SimulatedServer) {
    for operation in device.operations {
      let id = operation.itemID
      items.insert(id)
      let stored = server.rows[id].map { $0.deleted ? [] : $0.values.words } ?? []
      let mine = (device.row(id)?.values.words ?? []).union(operation.sent?.values.words ?? [])
      words.formUnion(mine.subtracting(stored))
      if operation.kind == .delete { deletions.append(id) }
    }
  }
}
