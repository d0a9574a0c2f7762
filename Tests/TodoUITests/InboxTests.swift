import FoundationEssentials
import Glibc
import OfflineSync
import Testing
import TodoCore

@testable import Terminal
@testable import TodoUI

@Suite("Messages from other threads")
struct InboxTests {
  @Test("messages are drained once, oldest first")
  func order() throws {
    let inbox = try Inbox()
    inbox.post(.storeChanged(.rows))
    inbox.post(.tick)
    #expect(inbox.drain() == [.storeChanged(.rows), .tick])
    #expect(inbox.drain() == [])
  }

  @Test("many changes of the store that nobody has seen are one")
  func coalesced() throws {
    let inbox = try Inbox()
    for _ in 0..<1000 { inbox.post(.storeChanged(.rows)) }
    #expect(inbox.drain() == [.storeChanged(.rows)])
  }

  @Test("changes that nobody has seen yet are told together, with all they were of")
  func kinds() throws {
    let inbox = try Inbox()
    inbox.storeChanged(.facts)
    inbox.post(.tick)
    inbox.storeChanged(.rows)
    #expect(inbox.drain() == [.storeChanged([.facts, .rows]), .tick])
  }

  @Test("what is heard of a change the list is just making is an echo")
  func echo() throws {
    let inbox = try Inbox()
    OwnChange.$isBeingMade.withValue(true) { inbox.storeChanged([.rows, .journal]) }
    #expect(inbox.drain() == [])
  }

  @Test("at the end of a day there is a tick, also if that was while the machine slept")
  func midnight() throws {
    let inbox = try Inbox()
    let timer = MidnightTimer(inbox)
    timer.follow(CalendarDay(Date()).adding(days: -1))
    var descriptor = pollfd(fd: inbox.wake.readEnd, events: Int16(POLLIN), revents: 0)
    #expect(poll(&descriptor, 1, 10_000) == 1)
    #expect(inbox.drain() == [.tick])
    withExtendedLifetime(timer) {}
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
