import Dispatch
import Glibc
package import OfflineSync
import SQLiteStatements

/// Reports when the store changes. The store itself reports writes of this program. inotify reports writes of other
/// programs; its notice of our own writes is ignored.
///
/// A commit writes the log before the new rows can be read. So a change is reported when the writer sets the log's time
/// after its commit (`StoreWriteMark`), or closes the file. A write without either is reported after 150 ms.
package final class StoreWatcher {
  /// A write without a mark counts as committed after this time.
  private static let patience = DispatchTimeInterval.milliseconds(150)
  /// A commit of many pages is as many writes: those within this time are reported together.
  private static let breath = DispatchTimeInterval.milliseconds(5)

  private let source: any DispatchSourceRead

  private let store: SQLiteStore

  /// Begins to watch. Opens the connections that write, so call it when the list is on the screen. If another program
  /// has written since the store was opened, `onChange` is called before this returns.
  ///
  /// `onChange` is called after each write of this program, on the thread that wrote, with the kinds of changed
  /// content. After writes of another program it is called on a queue of the watcher, once for each burst. Returns nil
  /// if the system has no more watches; the list then shows changes of other programs at its next read.
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
    // First: a change between the two counts as new for both. The other way round, none of them would report it.
    var version = store.foreignVersion()
    if store.isOvertaken() { onChange(.all) }
    let queue = DispatchQueue(label: "ebb.watch")
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
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

  /// Reads the waiting events and returns all their bits.
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

/// The sign that a commit can be read: the writer sets the log's time of change after it.
enum StoreWriteMark {
  static func file(of storePath: String) -> String { OpenedFiles.log(of: storePath) }

  static func leave(_ storePath: String) {
    utimensat(AT_FDCWD, file(of: storePath), nil, 0)
  }
}
