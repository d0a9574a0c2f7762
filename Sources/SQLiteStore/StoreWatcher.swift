import Dispatch
import GRDB
import Glibc
package import OfflineSync
import Synchronization

/// Tells when the store's content changes, by this program or another: the store itself reports what this program
/// writes, the system that its file was written; nothing is asked at intervals. What the system reports of one's own
/// writes is passed over.
///
/// A commit writes to the log before it can be read: who looks at the first sign still sees the old
/// rows. So the sign to go by is the mark that `StoreWriteMark` leaves after the commit, or the end of
/// a program that wrote. A write without either is of some other tool, and looked at a little later.
package final class StoreWatcher {
  /// After this long a write without a mark is taken for committed.
  private static let patience = DispatchTimeInterval.milliseconds(150)
  /// A commit of many pages is as many writes: what comes within this time is heard together.
  private static let breath = DispatchTimeInterval.milliseconds(5)

  private let source: any DispatchSourceRead

  private let store: SQLiteStore

  /// Begin to watch once the list is on the screen: it opens the connections that write. If another program has written
  /// since the store was opened, `onChange` is called before this returns.
  ///
  /// `onChange` is called after each write of this program, on the thread that wrote and with what it changed; and on a
  /// queue of the watcher's own, once for each burst of changes, when another program wrote. Nil when the system has no
  /// more watches to give; the list then shows other programs' changes at its next read.
  package init?(_ store: SQLiteStore, onChange: @escaping @Sendable (StoreChanges) -> Void) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let events = UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_CLOSE_WRITE)
    guard inotify_add_watch(descriptor, StoreWriteMark.file(of: store.path), events) >= 0 else {
      close(descriptor)
      return nil
    }
    self.store = store
    store.listen(onChange)
    if store.isOvertaken() { onChange(.all) }
    let queue = DispatchQueue(label: "ebb.watch")
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    var version = store.foreignVersion()
    let look = {
      let now = store.foreignVersion()
      guard now == nil || now != version else { return }
      version = now
      onChange(.all)
    }
    var late: DispatchWorkItem?
    source.setEventHandler { [source] in
      source.suspend()
      queue.asyncAfter(deadline: .now() + Self.breath, execute: DispatchWorkItem { source.resume() })
      late?.cancel()
      late = nil
      if Self.drain(descriptor) & ~UInt32(IN_MODIFY) != 0 {
        look()
      } else {
        let item = DispatchWorkItem(block: look)
        late = item
        queue.asyncAfter(deadline: .now() + Self.patience, execute: item)
      }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit {
    store.listen(nil)
    source.cancel()
  }

  /// Takes in what has come and returns all its event bits together.
  private static func drain(_ descriptor: Int32) -> UInt32 {
    var mask: UInt32 = 0
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return mask }
      buffer.withUnsafeBytes { bytes in
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
          let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          mask |= event.mask
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
  }
}

/// Notes what kinds of thing each write of this program changes, and tells whoever listens when it is durable.
///
/// It goes by the tables that the statements name, so no row costs anything.
final class WriteLog: TransactionObserver, Sendable {
  private let current = Mutex(StoreChanges())
  private let listener = Mutex<(@Sendable (StoreChanges) -> Void)?>(nil)

  /// `listener` is called on the thread that wrote, before the write returns. There is one at most.
  func listen(_ listener: (@Sendable (StoreChanges) -> Void)?) {
    self.listener.withLock { $0 = listener }
  }

  /// What was noted since it was taken last. Call it within the transaction.
  func drain() -> StoreChanges {
    current.withLock { changes in
      defer { changes = [] }
      return changes
    }
  }

  func report(_ changes: StoreChanges) {
    listener.withLock { $0 }?(changes)
  }

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    let changes = Self.changes(in: kind.tableName)
    current.withLock { $0.formUnion(changes) }
    return false
  }

  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ database: Database) {}
  func databaseDidRollback(_ database: Database) {}

  private static func changes(in table: String) -> StoreChanges {
    switch table {
    case "MS_TableOperations", "MS_TableOperationErrors": .journal
    case "Ebb_Facts", "MS_TableConfig": .facts
    case "Ebb_Requests": .requests
    default: .rows
    }
  }
}

extension DatabaseEventKind {
  fileprivate var tableName: String {
    switch self {
    case .insert(let table), .delete(let table): table
    case .update(let table, _): table
    }
  }
}

/// The sign that a commit can be read: the log's time of change is set anew after it.
enum StoreWriteMark {
  static func file(of storePath: String) -> String { WriteAheadLog.file(of: storePath) }

  static func leave(_ storePath: String) {
    utimensat(AT_FDCWD, file(of: storePath), nil, 0)
  }
}
