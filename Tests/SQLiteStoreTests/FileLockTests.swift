import Foundation
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
    let impatient = FileLock(storePath: path, patience: 0)
    _ = try FileLock(storePath: path).withLock(
      waiting: {},
      run: {
        #expect(throws: SyncLockError.timedOut) {
          try impatient.withLock(waiting: { waited = true }, run: {})
        }
      })
    #expect(waited)
    let answer = try impatient.withLock(waiting: {}, run: { "free" })
    #expect(answer == "free")
  }

  @Test("gives up when its time is over")
  func limit() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("ebb.sqlite")
    try FileLock(storePath: path).withLock(
      waiting: {},
      run: {
        let impatient = FileLock(storePath: path, patience: 1)
        _ = #expect(throws: SyncLockError.timedOut) { try impatient.withLock(waiting: {}, run: {}) }
      })
  }

  @Test("belongs to the owner of the store, whoever made it", .enabled(if: geteuid() == 0))
  func owner() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("ebb.sqlite")
    try Data().write(to: URL(filePath: path))
    #expect(chown(path, 12_345, 12_345) == 0)
    try FileLock(storePath: path).withLock(waiting: {}, run: {})
    #expect(try FileManager.default.attributesOfItem(atPath: path + "-sync")[.ownerAccountID] as? Int == 12_345)
  }
}
