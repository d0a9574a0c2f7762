import OfflineSync
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("Messages from other threads")
struct InboxTests {
  @Test("they come out once, oldest first")
  func order() throws {
    let inbox = try Inbox()
    inbox.post(.storeChanged)
    inbox.post(.tick)
    #expect(inbox.drain() == [.storeChanged, .tick])
    #expect(inbox.drain() == [])
  }

  @Test("many changes of the store that nobody has seen are one")
  func coalesced() throws {
    let inbox = try Inbox()
    for _ in 0..<1000 { inbox.post(.storeChanged) }
    #expect(inbox.drain() == [.storeChanged])
  }

  @Test("progress wakes nobody, all else does")
  func waking() throws {
    let inbox = try Inbox()
    inbox.post(.refresh(.progress(SyncProgress(sent: 1, toSend: 2))))
    #expect(inbox.wake.drain() == [])
    inbox.post(.refresh(.finished(RefreshResult())))
    #expect(inbox.wake.drain() == [0])
  }

  @Test("a newer progress replaces an older one, the end never")
  func progress() throws {
    let inbox = try Inbox()
    for sent in 0..<100 { inbox.post(.refresh(.progress(SyncProgress(sent: sent, toSend: 99, received: 0)))) }
    inbox.post(.refresh(.finished(RefreshResult())))
    inbox.post(.refresh(.progress(SyncProgress(sent: 1, toSend: 2, received: 0))))
    #expect(
      inbox.drain() == [
        .refresh(.progress(SyncProgress(sent: 99, toSend: 99, received: 0))), .refresh(.finished(RefreshResult())),
        .refresh(.progress(SyncProgress(sent: 1, toSend: 2, received: 0))),
      ])
  }
}
