import FoundationEssentials
import OfflineSync
import TableProtocol
import TodoCore

@testable import Terminal
@testable import TodoUI
@testable import Words

/// Every view of the interface, as a person meets it: what is in the list, and the keys that lead there.
enum Gallery: String, CaseIterable, Sendable {
  case list, empty, panel, editor, filter, noMatch, date, order, number, marks, pulled, running, receipt, offline, busy
  case away, digest, outbox, story, detail, log, conflict, merge, refusal, paste, help, palette, leaving, account,
    removal
  /// Without a server.
  case alone, firstItem
  case completed, deletedMany, progress, wrapped, filterProblem, link

  /// The screen, in a terminal of this size.
  /// As the terminal gets it.
  func screen(_ size: Size, _ catalogue: Catalogue, _ charset: Charset) -> String {
    charset.encode(desk(size, catalogue, charset).screen)
  }

  func desk(
    _ size: Size, _ catalogue: Catalogue = .english, _ charset: Charset = .utf8, theme: Theme = .terminal
  ) -> Desk {
    var preferences = Preferences()
    preferences.theme = theme
    preferences.catalogue = catalogue
    preferences.asksBeforeLeaving = true
    var desk = Desk(
      items: self == .empty || self == .alone ? [] : Self.items, columns: size.columns, rows: size.rows,
      charset: charset,
      preferences: preferences)
    if self == .alone || self == .firstItem { desk.sync.server = nil } else { Self.furnish(&desk) }
    desk.survey(last: LocalMoment(year: 2026, month: 11, day: 21, hour: 9, minute: 26))
    lead(&desk)
    return desk
  }

  private static let items = [
    TodoItem(
      id: "0f3a77d2-1b0c-4e5f-8a66-52a9d1c0e001", text: "(A) Buy oat milk +shop due:2026-11-22", state: .waiting),
    TodoItem(id: "1", text: "Call the plumber @phone due:2026-11-21"),
    TodoItem(id: "2", text: "買牛奶和雞蛋給媽媽 +shop due:2026-11-27", state: .conflict),
    TodoItem(
      id: "3", text: "Water the plants 🌱 due:2026-11-19",
      state: .refused(status: 400, reason: "the text is too long")),
    TodoItem(id: "4", text: "Écrire à l'école", hasArrived: true),
    TodoItem(id: "5", text: "Pay the rent", complete: false, state: .inFlight),
  ]

  private static func furnish(_ desk: inout Desk) {
    (desk.sync.pending, desk.sync.conflicts, desk.sync.refused) = (4, 1, 1)
    desk.sync.lastPull = desk.now.date.addingTimeInterval(-4 * 60)
    desk.outbox = [
      WaitingChange(
        id: "0", before: TodoCopy(text: "Buy milk"),
        after: TodoCopy(text: "Buy oat milk", complete: true)),
      WaitingChange(
        id: "3", before: nil, after: TodoCopy(text: "Water"), reason: .refused(status: 400, reason: "")),
      WaitingChange(id: "6", before: TodoCopy(text: "Old"), after: nil, reason: .noAnswer),
    ]
    desk.versions = [
      ItemVersion(number: 3, copy: nil, madeAt: desk.now.date, origin: .server),
      ItemVersion(
        number: 2, copy: TodoCopy(text: "Buy oat milk", complete: true), madeAt: desk.now.date, origin: .merge),
      ItemVersion(number: 1, copy: TodoCopy(text: "Buy milk"), madeAt: nil, origin: .here),
    ]
    desk.requests = [
      RequestRecord(
        startedAt: Timestamp(desk.now.date), verb: "POST", path: "/tables/$batch", outcome: .status(200),
        milliseconds: 38,
        bytesSent: 1_234, bytesReceived: 900),
      RequestRecord(
        startedAt: Timestamp(desk.now.date), verb: "GET", path: "/tables/TodoItem?$top=1",
        outcome: .failed("no route to host"),
        milliseconds: 3_001, bytesSent: 0, bytesReceived: 0),
    ]
    desk.conflicts = [
      TodoConflict(
        id: "2", base: TodoCopy(text: "Buy milk"), mine: TodoCopy(text: "Buy oat milk", complete: true),
        theirs: TodoCopy(text: "Buy milk and bread")),
      TodoConflict(
        id: "3", kind: .refused(reason: "the text is too long"), status: 400, base: nil,
        mine: TodoCopy(text: "Water the plants"), theirs: nil),
    ]
  }

  private func lead(_ desk: inout Desk) {
    switch self {
    case .list: break
    case .empty, .alone, .firstItem: break
    case .completed: desk.press(.character("j"), .character(" "))
    case .progress:
      desk.model.screen.progress = BulkProgress(done: 12_000, all: 60_000)
      desk.model.screen.progressStops = true
    case .wrapped:
      desk.press(.down, .character("e"))
      desk.type(" and ask for an offer for the bath, the kitchen and the tap in the garden due:next fri")
    case .link:
      desk.items[1].text = "Read https://a.example/one and https://b.example/two"
      desk.press(.end)
      desk.press(.character("O"))
    case .filterProblem:
      desk.press(.character("/"))
      desk.type("due:soonish")
      desk.press(.enter)
    case .deletedMany: desk.press(.character("*"), .character("d"))
    case .panel: desk.press(.tab)
    case .editor:
      desk.press(.character("a"))
      desk.type("Bring 牛奶 +sh")
    case .filter: filter("shop", &desk)
    case .noMatch: filter("zzz", &desk)
    case .date:
      desk.press(.character("t"), .control("u"))
      desk.type("fri")
    case .order: desk.press(.character("s"))
    case .number:
      filter("+shop", &desk)
      desk.press(.enter, .character("S"))
    case .marks: desk.press(.character("v"), .down, .down)
    case .pulled: desk.press(.up)
    case .running:
      desk.press(.character("r"))
      desk.tell(.refresh(.progress(SyncProgress(sent: 1_200, toSend: 10_000, received: 0))))
    case .receipt:
      finish(nil, &desk)
      let side = TableDigest(count: 1_204, checksum: 1)
      desk.tell(.refresh(.compared(TableComparison(here: side, there: side))))
    case .offline: finish(.remote(.unreachable("no route", kind: .noRoute)), &desk)
    case .busy: finish(.remote(.busy(status: 503, retryAfter: 12)), &desk)
    case .away, .digest:
      let at = desk.now.date
      desk.arrivals = [
        Arrival(id: "4", before: TodoCopy(text: "Écrire"), after: TodoCopy(text: "Écrire à l'école"), arrivedAt: at),
        Arrival(id: "7", before: nil, after: TodoCopy(text: "Bread"), arrivedAt: at),
        Arrival(id: "8", before: TodoCopy(text: "Done"), after: TodoCopy(text: "Done", complete: true), arrivedAt: at),
        Arrival(id: "9", before: TodoCopy(text: "Gone"), after: nil, arrivedAt: at),
      ]
      desk.survey()
      if self == .digest { desk.press(.character("w")) }
    case .outbox: desk.press(.character("o"))
    case .story: desk.press(.character("h"), .down)
    case .detail: desk.press(.character("i"))
    case .log: desk.press(.character("L"))
    case .conflict: desk.press(.character("c"))
    case .merge: desk.press(.character("c"), .character("e"))
    case .refusal: desk.press(.character("c"), .down)
    case .paste: desk.press(.paste("one\n二\nthree"))
    case .help: desk.press(.character("?"))
    case .palette:
      desk.press(.character(":"))
    case .leaving: desk.press(.character("q"))
    case .account:
      finish(
        .otherAccount(OtherAccount(owner: "http://a.example", current: "http://b.example", pending: 4)), &desk)
    case .removal:
      var result = RefreshResult(failure: .massRemoval(rows: 12, total: 20))
      result.removals = (1...12).map { "Item \($0) that the server has no longer" }
      desk.press(.character("r"))
      desk.tell(.refresh(.finished(result)))
    }
  }

  private func filter(_ text: String, _ desk: inout Desk) {
    desk.press(.character("/"))
    desk.type(text)
    desk.survey(last: LocalMoment(year: 2026, month: 11, day: 21, hour: 9, minute: 26))
  }

  private func finish(_ failure: SyncFailure?, _ desk: inout Desk) {
    desk.press(.character("r"))
    desk.tell(.refresh(.finished(RefreshResult(pushed: 3, pulled: 12, seconds: 0.42, failure: failure))))
  }
}
