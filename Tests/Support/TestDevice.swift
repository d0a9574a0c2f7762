package import OfflineSync
package import SQLiteStore
import Synchronization
package import TableProtocol

/// One device: a real store in a file, a sync context, and the table `TodoItem`.
package final class TestDevice: Sendable {
  package let store: SQLiteStore
  package let context: SyncContext
  package let table: SyncTable
  package let world: TestEnvironment
  package var path: String { store.path }
  private let folder: TemporaryFolder

  package init(
    _ remote: any RemoteTable, settings: PullSettings = PullSettings(), delegate: (any SyncDelegate)? = nil,
    log: SyncLog = SyncLog(), folder: TemporaryFolder? = nil, world: TestEnvironment = TestEnvironment()
  ) throws {
    self.world = world
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    store = try SQLiteStore(path: folder.file("ebb.sqlite"))
    context = SyncContext(
      SyncPorts(
        tables: ["TodoItem"], store: store, remote: remote, lock: FileLock(storePath: store.path),
        environment: world.environment, settings: settings, delegate: delegate, log: log))
    table = context.table("TodoItem")
  }

  /// A program that was started anew on the same files.
  package func restarted(
    _ remote: any RemoteTable, delegate: (any SyncDelegate)? = nil
  ) throws -> TestDevice {
    try TestDevice(remote, delegate: delegate, folder: folder)
  }

  /// A second program on the same files, which runs beside this one.
  package func beside(_ remote: any RemoteTable) throws -> TestDevice {
    try TestDevice(remote, folder: folder, world: world)
  }

  /// Syncs all rows and waits for the end.
  @discardableResult
  package func sync(
    pushes: Bool = true, pulls: Bool = true, isFull: Bool = false, allowsMassRemoval: Bool = false,
    accountChange: AccountChange? = nil
  ) async -> SyncReport {
    await sync(
      SyncRequest(
        pushes: pushes, pulls: pulls ? [PullQuery(table: "TodoItem", queryID: "all")] : [], isFull: isFull,
        allowsMassRemoval: allowsMassRemoval, accountChange: accountChange))
  }

  /// Syncs and waits for the end. `began` gets what cancels it, `report` everything it says on the way.
  package func sync(
    _ request: SyncRequest, began: (Cancellation) -> Void = { _ in },
    report: @escaping @Sendable (SyncEvent) -> Void = { _ in }
  ) async -> SyncReport {
    await withCheckedContinuation { continuation in
      let cancellation = context.request(request) { event in
        report(event)
        if case .finished(let report) = event { continuation.resume(returning: report) }
      }
      began(cancellation)
    }
  }

  /// Syncs, and gives what both sides were then found to have; nil when nothing was said of it.
  package func compare(
    _ query: PullQuery = PullQuery(table: "TodoItem", queryID: "all"), isFull: Bool = false
  ) async -> TableComparison? {
    let said = Mutex<TableComparison?>(nil)
    let request = SyncRequest(pulls: [query], isFull: isFull)
    _ = await sync(
      request,
      report: { event in
        if case .compared(let comparison) = event { said.withLock { $0 = comparison } }
      })
    await blocking { self.context.waitUntilIdle() }
    return said.withLock(\.self)
  }

  /// Compares everything and waits for the end.
  package func verify(
    report: @escaping @Sendable (VerificationEvent) -> Void = { _ in }, began: (Cancellation) -> Void = { _ in }
  ) async -> Result<TableVerification, SyncFailure> {
    await withCheckedContinuation { continuation in
      began(
        context.verify("TodoItem") { event in
          report(event)
          if case .finished(let outcome) = event { continuation.resume(returning: outcome) }
        })
    }
  }

  /// Pulls what a query names, and nothing else, and waits for the end.
  @discardableResult
  package func pull(_ query: PullQuery, isFull: Bool = false) async -> SyncReport {
    await sync(SyncRequest(pushes: false, pulls: [query], isFull: isFull))
  }

  /// Purges and waits for the end.
  package func purge(forced: Bool = false) async -> Result<PurgeReport, any Error> {
    await withCheckedContinuation { continuation in
      context.purge("TodoItem", forced: forced) { continuation.resume(returning: $0) }
    }
  }

  package func operations() throws -> [TableOperation] {
    try store.read { try $0.operations(after: 0, limit: 1_000) }
  }

  package func errors() throws -> [TableOperationError] {
    try store.read { try $0.operationErrors() }
  }

  package func token() throws -> DeltaToken? {
    try store.read { try $0.deltaToken(table: "TodoItem", queryID: "all") }
  }

  package func versions(of id: RecordID) throws -> [PastVersion] {
    try store.read { try $0.pastVersions(of: id, in: "TodoItem") }
  }

  /// The texts of all rows by id.
  package func texts() throws -> [RecordID: String] {
    let rows = try table.read(TableQuery(table: "TodoItem")).records
    return Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.values["text"]?.text ?? "") })
  }

  @discardableResult
  package func add(_ text: String) throws -> RecordID {
    try table.insert(["text": .text(text), "complete": .bool(false)]).id
  }

  package func edit(_ id: RecordID, _ text: String) throws {
    try table.update(id, ["text": .text(text)])
  }
}

extension TestDevice {
  /// A device with one item that the server has too.
  package static func withItem(_ text: String = "milk", on server: FakeServer) async throws -> (TestDevice, RecordID) {
    let device = try TestDevice(server)
    let id = try device.add(text)
    await device.sync()
    return (device, id)
  }

  /// A device with one item that was changed since, on the server and here; nil where it was deleted. Not
  /// pushed yet.
  package static func withItem(
    _ text: String = "milk", mine: String?, theirs: String?, on server: FakeServer
  ) async throws -> (TestDevice, RecordID) {
    let (device, id) = try await withItem(text, on: server)
    if let theirs { server.put(id, ["text": .text(theirs)]) } else { server.remove(id) }
    if let mine { try device.edit(id, mine) } else { try device.table.delete(id) }
    return (device, id)
  }
}
