import Glibc
import Testing

/// The story that decides, step by step: one laptop with a list open, one server, one phone.
struct OfflineStory {
  private let workspace: Workspace
  private var laptop: Device
  private var phone: Device
  private var list: TerminalSession?
  private var server: ServerProcess?
  private var proxy: CountingProxy?
  private var rows: [String] = []

  init(_ workspace: Workspace) {
    self.workspace = workspace
    laptop = Device(workspace, name: "laptop", server: "http://ebb.invalid")
    phone = Device(workspace, name: "phone")
  }

  /// Three items, one edited, one completed, one deleted, and a refresh that cannot reach the server.
  mutating func worksOffline() async throws {
    let list = try await TerminalSession.list(laptop)
    self.list = list
    for text in ["Buy milk", "買牛奶", "Water the plants 🌱"] { try await list.add(text) }
    try await list.select("買牛奶")
    try await list.press("e")
    try await list.type("和麵包")
    try await list.press("Enter")
    try await list.wait("the edit") { $0.shows("買牛奶和麵包") }
    try await list.select("Water the plants 🌱")
    try await list.press("Space")
    try await list.wait("the completed item to leave") { !$0.shows("Water the plants 🌱") }
    try await list.select("Buy milk")
    try await list.press("d")
    try await list.wait("the deleted item to leave") { !$0.shows("Buy milk") }
    try await list.press("r")
    try await list.wait("the failure in words") {
      $0.status.contains("Can't reach the server") && $0.status.contains("2 changes wait")
    }
    try await list.press("Tab")
    rows = try await list.wait("all items") { $0.rows.count == 2 }.rows
    #expect(Set(rows) == ["[ ] 買牛奶和麵包", "[x] Water the plants 🌱"])
  }

  mutating func survivesBeingKilled() async throws {
    try await open(list).signal(SIGKILL)
    #expect(try await open(list).exitStatus() == 128 + SIGKILL)
    list = try await reopenedList(laptop)
  }

  mutating func hasSentNothing() async throws {
    let server = try await ServerProcess.start(workspace)
    self.server = server
    #expect(try await Curl(server: server).everything() == [])
  }

  /// The network is held back until it is seen that the refresh runs and the keyboard works meanwhile.
  mutating func refreshesAndStaysUsable() async throws {
    let proxy = try CountingProxy(to: try open(server))
    self.proxy = proxy
    laptop.server = proxy.url
    try await leave()
    let list = try await reopenedList(laptop)
    self.list = list
    proxy.hold()
    try await list.press("F5")
    var seen: Set<String> = []
    try await list.wait("the spinner to turn") { screen in
      seen.insert(screen.status)
      return seen.count >= 3
    }
    try await list.press("Tab")
    try await list.wait("the keyboard to work during a refresh") { $0.rows == ["[x] Water the plants 🌱"] }
    proxy.release()
    try await list.wait("the end of the refresh") { screen in
      let status = screen.status.lowercased()
      return status.contains("synced") && !status.contains("never synced")
    }
    #expect(try await laptop.status().pending == 0)
    let records = try await Curl(server: try open(server)).everything()
    #expect(Set(records.map(\.line)) == Set(rows))
    #expect(records.allSatisfy { !$0.version.isEmpty && $0.deleted != true })
  }
}

extension OfflineStory {
  /// The second device refreshes, sees the same, changes one item, deletes the other, and refreshes again.
  mutating func reachesTheSecondDevice() async throws {
    phone.server = try open(server).url
    let list = try await TerminalSession.list(phone)
    try await list.press("r")
    try await list.press("Tab")
    let seen = try await list.wait("what the laptop sent") { $0.rows.count == 2 }.rows
    #expect(Set(seen) == Set(rows))
    try await list.select("買牛奶和麵包")
    try await list.press("e")
    try await list.type("!")
    try await list.press("Enter")
    try await list.wait("the edit") { $0.shows("買牛奶和麵包!") }
    try await list.select("Water the plants 🌱", complete: true)
    try await list.press("d")
    try await list.wait("the deleted item to leave") { $0.rows.count == 1 }
    try await list.press("r")
    let phone = phone
    _ = try await waitFor {
      try await phone.status().pending == 0 ? true : nil
    } otherwise: {
      "the phone still has changes to send"
    }
    rows = ["[ ] 買牛奶和麵包!"]
    #expect(try await Curl(server: try open(server)).items().map(\.line) == rows)
    try await list.press("q")
    #expect(try await list.exitStatus() == 0)
  }

  mutating func bringsBackWhatTheSecondDeviceDid() async throws {
    let rows = rows
    try await open(list).press("r", "Tab", "Tab")
    try await open(list).wait("what the phone did") { $0.rows == rows }
  }

  mutating func survivesRestarts() async throws {
    let before = try await Curl(server: try open(server)).everything()
    let items = try await laptop.items("--all")
    try await leave()
    server = try await open(server).restarted()
    list = try await reopenedList(laptop)
    #expect(try await laptop.items("--all") == items)
    #expect(try await Curl(server: try open(server)).everything() == before)
    try await phone.ebb("sync")
    #expect(Set(try await phone.items("--all").map(\.text)) == ["買牛奶和麵包!"])
  }

  mutating func asksOnceWhenNothingIsNew() async throws {
    let (laptop, before) = (laptop, try await laptop.status())
    try open(proxy).forget()
    try await open(list).press("r")
    _ = try await waitFor {
      try await laptop.status().lastPull != before.lastPull ? true : nil
    } otherwise: {
      "the refresh did not end; before it: \(before)"
    }
    #expect(try open(proxy).requests.map { $0.prefix(20) } == ["GET /tables/TodoItem"])
    #expect(try await laptop.ebb("sync", "--json").decoded(ListedSync.self).requests == 1)
    try await leave()
  }
}

extension OfflineStory {
  private func open<Part>(_ part: Part?) throws -> Part {
    try #require(part)
  }

  /// Leaves the list, whatever waits.
  private func leave() async throws {
    try await open(list).press("q")
    #expect(try await open(list).exitStatus() == 0)
  }

  /// Opens the list, in the view of all items, and holds it to what was on the screen before.
  private func reopenedList(_ device: Device) async throws -> TerminalSession {
    let list = try await TerminalSession.list(device)
    try await list.press("Tab")
    let rows = rows
    try await list.wait("the list as it was: \(rows)") { $0.rows == rows }
    return list
  }
}

extension Curl.Record {
  /// The record as the list shows it.
  fileprivate var line: String { (complete ? "[x] " : "[ ] ") + text }
}
