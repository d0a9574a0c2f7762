import Dispatch
import Glibc

/// Tells when the store's files change, by this program or another: the system reports it, nothing
/// is asked at intervals.
package final class StoreWatcher {
  private let source: any DispatchSourceRead

  /// `onChange` is called on a queue of the watcher's own, once for each burst of changes. Nil when
  /// the system has no more watches to give; the list then shows other programs' changes at its next read.
  package init?(storePath: String, onChange: @escaping @Sendable () -> Void) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    // The log takes every commit; the database file itself is written when the log is folded in.
    let files: [String] = [storePath + "-wal", storePath]
    let watched = files.filter { inotify_add_watch(descriptor, $0, UInt32(IN_MODIFY)) >= 0 }
    guard !watched.isEmpty else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "ebb.watch"))
    source.setEventHandler {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while read(descriptor, &buffer, buffer.count) > 0 {}
      onChange()
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit {
    source.cancel()
  }
}
