import Dispatch
import Glibc

/// Tells when the store's content changes, by this program or another: the system reports it, nothing
/// is asked at intervals.
///
/// A commit writes to the log before it can be read: who looks at the first sign still sees the old
/// rows. So the sign to go by is the mark that `StoreWriteMark` leaves after the commit, or the end of
/// a program that wrote. A write without either is of some other tool, and looked at a little later.
package final class StoreWatcher {
  /// After this long a write without a mark is taken for committed.
  private static let patience = DispatchTimeInterval.milliseconds(150)

  private let source: any DispatchSourceRead

  /// `onChange` is called on a queue of the watcher's own, once for each burst of changes. Nil when
  /// the system has no more watches to give; the list then shows other programs' changes at its next read.
  package init?(storePath: String, onChange: @escaping @Sendable () -> Void) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let events = UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_CLOSE_WRITE)
    guard inotify_add_watch(descriptor, StoreWriteMark.file(of: storePath), events) >= 0 else {
      close(descriptor)
      return nil
    }
    let queue = DispatchQueue(label: "ebb.watch")
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    var late: DispatchWorkItem?
    source.setEventHandler {
      late?.cancel()
      late = nil
      if Self.drain(descriptor) & ~UInt32(IN_MODIFY) != 0 {
        onChange()
      } else {
        let item = DispatchWorkItem(block: onChange)
        late = item
        queue.asyncAfter(deadline: .now() + Self.patience, execute: item)
      }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit {
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
