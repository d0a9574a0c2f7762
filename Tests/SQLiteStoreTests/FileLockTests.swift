import OfflineSync
import SQLiteStore
import Support
import Testing

@Suite("The sync lock of a store")
struct FileLockTests {
  @Test("a second holder waits, says so, and gives up after its time")
  func secondHolder() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("ebb.sqlite")
    var waited = false
    _ = try FileLock(storePath: path).withLock(waiting: {}) {
      #expect(throws: SyncLockError.timedOut) {
        _ = try FileLock(storePath: path, patience: 0).withLock(waiting: { waited = true }) {}
      }
    }
    #expect(waited)
    let answer = try FileLock(storePath: path, patience: 0).withLock(waiting: {}) { "free" }
    #expect(answer == "free")
  }
}
