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

  /// One `.storeChanged` stands for many, and a newer progress replaces an older one that nobody has seen. Progress
  /// wakes nobody: it is taken in when the spinner turns.
  package func post(_ message: Message) {
    waiting.withLock { waiting in
      if message == .storeChanged && waiting.contains(.storeChanged) { return }
      if message.isProgress && waiting.last?.isProgress == true { waiting.removeLast() }
      waiting.append(message)
    }
    if !message.isProgress { wake.ring() }
  }

  /// All that has come, oldest first.
  func drain() -> [Message] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}

extension Message {
  fileprivate var isProgress: Bool {
    if case .refresh(.progress) = self { return true }
    return false
  }
}
