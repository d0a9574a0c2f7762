package import OfflineSync
import Synchronization
import Terminal
import TodoCore

/// The messages that wait for the main thread. Any thread may post; a post wakes the main thread out of its waiting.
package final class Inbox: Sendable {
  private let waiting = Mutex<[Message]>([])
  let wake: Wake

  init() throws(WakeError) {
    wake = try Wake()
  }

  /// Something in the store changed. A change that the main thread is just making for the list is known there already.
  package func storeChanged(_ changes: StoreChanges) {
    if !OwnChange.isBeingMade { post(.storeChanged(changes)) }
  }

  /// One `.storeChanged` stands for many, and a newer progress replaces an older one that nobody has seen. Progress
  /// wakes nobody: it is taken in when the spinner turns.
  package func post(_ message: Message) {
    waiting.withLock { waiting in
      if case .storeChanged(let changes) = message, let (place, before) = Self.storeChange(in: waiting) {
        waiting[place] = .storeChanged(before.union(changes))
        return
      }
      if message.isProgress && waiting.last?.isProgress == true { waiting.removeLast() }
      waiting.append(message)
    }
    if !message.isProgress { wake.ring() }
  }

  private static func storeChange(in messages: [Message]) -> (place: Int, changes: StoreChanges)? {
    for (place, message) in messages.enumerated() {
      if case .storeChanged(let changes) = message { return (place, changes) }
    }
    return nil
  }

  /// All that has come, oldest first.
  func drain() -> [Message] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

/// Whether this thread is just making a change the list asked for: what is heard of it is an echo.
enum OwnChange {
  @TaskLocal static var isBeingMade = false
}

extension Message {
  fileprivate var isProgress: Bool {
    if case .refresh(.progress) = self { return true }
    return false
  }
}
