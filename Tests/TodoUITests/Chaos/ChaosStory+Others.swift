import Chance
import TableProtocol
import Terminal
import TodoCore

@testable import OfflineSync
@testable import TodoUI
@testable import Words

/// What another program, the server and the disk do.
extension ChaosStory {
  /// Something happens to the store.
  mutating func happen() {
    switch chance.number(1...8) {
    case 1: desk.holdsReads.toggle()
    case 2: desk.failure = desk.failure == nil && chance.once(in: 2) ? "the disk is full" : nil
    case 3: becomeStatus()
    case 4: becomePanes()
    case 5: becomeConflicts()
    default: changeItems()
    }
    if !chance.once(in: 3) { tell(.storeChanged(.rows)) }
  }

  /// Something that was asked for in the background comes back, or comes unasked.
  mutating func answer() {
    switch chance.number(1...7) {
    case 1: desk.survey(last: chance.once(in: 2) ? Self.yesterday : nil)
    case 2: if !desk.held.isEmpty { desk.readHeld(chance.number(0...desk.held.count - 1)) }
    case 3: while !desk.held.isEmpty { desk.readHeld(0) }
    case 4: tell(.verified(.finished(chance.once(in: 2) ? .failure(failure()) : .success(verification()))))
    case 5: tell(.failed("the disk is full, and it takes more than one row of the screen to say \(text())"))
    default: tell(.refresh(refreshEvent()))
    }
  }

  private static let yesterday = LocalMoment(year: 2026, month: 11, day: 20, hour: 9, minute: 5)

  private mutating func changeItems() {
    for _ in 0..<chance.number(1...4) {
      guard let index = desk.items.indices.randomElement(using: &chance), !chance.once(in: 3) else {
        desk.items.insert(TodoItem(id: RecordID(newWord()), text: text()), at: chance.number(0...desk.items.count))
        continue
      }
      switch chance.number(1...5) {
      case 1: desk.items.remove(at: index)
      case 2: desk.items[index].text = text()
      case 3: desk.items[index].complete.toggle()
      case 4: desk.items[index].hasArrived = true
      default:
        let states = [ItemState.synced, .waiting, .inFlight, .conflict, .refused(status: 400, reason: text())]
        desk.items[index].state = chance.pick(states)
      }
    }
    if chance.once(in: 30) { desk.items = [] }
  }

  private mutating func becomeStatus() {
    desk.sync = SyncStatus(
      pending: chance.number(0...3), conflicts: chance.number(0...2), refused: chance.number(0...1),
      lastPull: chance.once(in: 2) ? Desk.morning.date : nil,
      server: chance.once(in: 3) ? nil : "http://server.example")
    let id = desk.items.first?.id ?? "0"
    desk.reversal = chance.once(in: 3) ? nil : UndoResult(.undo, .edit, text: text(), itemID: id)
    desk.completions = (0..<chance.number(0...3)).map { _ in "+" + newWord() }
  }

  private mutating func becomePanes() {
    let ids = desk.items.prefix(40).map(\.id)
    desk.outbox = ids.prefix(chance.number(0...40)).map {
      let reason = chance.pick([WaitingChange.Reason.nextRefresh, .conflict])
      return WaitingChange(id: $0, before: copy(), after: copy(), reason: reason)
    }
    desk.arrivals = ids.prefix(chance.number(0...40)).map {
      Arrival(id: $0, before: copy(), after: copy(), arrivedAt: desk.now.date)
    }
    desk.versions = (0..<chance.number(0...30)).map {
      ItemVersion(number: Int64($0), copy: copy(), madeAt: desk.now.date, origin: .here)
    }
    desk.requests = (0..<chance.number(0...30)).map {
      RequestRecord(
        startedAt: Timestamp(desk.now.date), verb: "GET", path: "/tables/\($0)\(text())", outcome: .failed(text()),
        milliseconds: $0, bytesSent: $0, bytesReceived: $0)
    }
  }

  private mutating func becomeConflicts() {
    desk.conflicts = desk.items.prefix(chance.number(0...4)).map {
      let kind = chance.once(in: 3) ? TodoConflict.Kind.refused(reason: text()) : .conflict
      return TodoConflict(id: $0.id, kind: kind, base: copy(), mine: copy(), theirs: copy())
    }
  }

  private mutating func copy() -> TodoCopy? {
    chance.once(in: 4) ? nil : TodoCopy(text: text(), complete: chance.once(in: 2))
  }

  private mutating func refreshEvent() -> RefreshEvent {
    switch chance.number(1...6) {
    case 1: .waitingForOtherProgram
    case 2: .compared(comparison())
    case 3: .progress(SyncProgress(sent: chance.number(0...9), toSend: chance.number(0...9), received: 5_000))
    case 4, 5: .finished(RefreshResult(pushed: chance.number(0...5), pulled: 12_345, seconds: 0.4))
    default: .finished(RefreshResult(failure: failure()))
    }
  }

  private mutating func comparison() -> TableComparison {
    TableComparison(here: digest(chance.number(1...3)), there: digest(2))
  }

  private mutating func verification() -> TableVerification {
    TableVerification(here: digest(chance.number(1...3)), there: digest(2), missingHere: chance.number(0...3))
  }

  private func digest(_ count: Int) -> TableDigest { TableDigest(count: count, checksum: UInt64(count)) }

  private mutating func failure() -> SyncFailure {
    chance.pick([
      .remote(.noServer), .remote(.unreachable(text(), kind: .refused)), .remote(.signInNeeded),
      .remote(.notAllowed), .otherProgramBusy, .cancelled,
      .remote(.busy(status: 503, retryAfter: chance.once(in: 2) ? 7_200 : nil)), .massRemoval(rows: 12, total: 20),
      .remote(.serverError(status: 500, message: text())), .remote(.badAnswer(text())),
      .remote(.notTheServer(text())),
      .store(.failed(path: text(), reason: text())),
      .otherAccount(OtherAccount(owner: text(), current: text(), isOtherUser: chance.once(in: 2), pending: 3)),
    ])
  }
}
