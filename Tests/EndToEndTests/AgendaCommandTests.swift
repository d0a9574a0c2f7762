import Foundation
import TableProtocol
import Testing
import TodoCore

@testable import ebb

@Suite("The commands that say what is due", .serialized, .timeLimit(.minutes(5)))
struct AgendaCommandTests {
  private struct Entry: Decodable, Equatable {
    let group: String
    let text: String
  }

  private struct Counted: Decodable, Equatable {
    let project: String
    let open: Int
    let overdue: Int
  }

  private func filled(_ workspace: Workspace, server: String? = nil) async throws -> Device {
    let device = Device(workspace, server: server)
    for text in ["later due:2090-01-01", "tea", "rent +home due:2020-01-05", "call +home due:today"] {
      _ = try await device.add(text)
    }
    return device
  }

  @Test("the agenda has the groups of the list in their order, and JSON names the group of each item")
  func agenda() async throws {
    try await Workspace.use { workspace in
      let device = try await filled(workspace)
      let lines = try await device.ebb("agenda").output.split(separator: "\n")
      #expect(lines.filter { !$0.hasPrefix(" ") } == ["Overdue", "Today", "Later", "No date"])
      #expect(lines[1].hasSuffix("rent +home due:2020-01-05") && lines.count == 8)
      let entries: [Entry] = try await device.ebb("agenda", "--json").decoded()
      #expect(entries.map(\.group) == ["overdue", "today", "later", "none"])
      #expect(try await device.ebb("agenda", "tea", "--json").decoded([Entry].self).map(\.text) == ["tea"])
      #expect(try await device.attempt("agenda", "due:<2026-13").status == 64)
    }
  }

  @Test("projects and contexts are counted, those of late items too")
  func words() async throws {
    try await Workspace.use { workspace in
      let device = try await filled(workspace)
      #expect(try await device.ebb("projects").output == "2 +home\n")
      let counted: [Counted] = try await device.ebb("projects", "--json").decoded()
      #expect(counted == [Counted(project: "+home", open: 2, overdue: 1)])
      #expect(try await device.ebb("contexts", "--json").output == "[]\n")
      #expect(try await Device(workspace, name: "none").attempt("projects").status == 0)
    }
  }

  @Test("a reminder brings what is new first, and without the server says so and tells what is known")
  func remind() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      try await filled(workspace, server: server.url).ebb("sync")
      let phone = Device(workspace, name: "phone", server: server.url)
      let told = try await phone.ebb("remind", "--json").decoded([Entry].self)
      #expect(told.map(\.text).map { $0.prefix(4) } == ["rent", "call"])
      let alone = Device(workspace, name: "phone", server: "http://127.0.0.1:9")
      let outcome = try await alone.attempt("remind")
      #expect(outcome.status == 69 && outcome.output.contains("rent") && outcome.complaints.count == 1, "\(outcome)")
      let notified = try await alone.attempt("remind", "--notify")
      #expect(notified.status == 1 && notified.error.contains("notify-send"), "\(notified)")
      #expect(notified.output == outcome.output, "\(notified)")
    }
  }

  @Test("a sync that is only tried says in words and in JSON what would be sent, and asks no server")
  func dryRun() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, server: "http://127.0.0.1:9")
      let handle = try await device.add("milk")
      let said = try await device.ebb("sync", "--dry-run").output
      #expect(said == "\(handle) ↑ add “milk”\n1 to send. Nothing was sent; ebb sync sends.\n")
      let json = try await device.ebb("sync", "-n", "--json").output
      #expect(json.hasPrefix("[{\"handle\":\"\(handle)\"") && json.contains("\"change\":\"insert\",\"sent\":true"))
      #expect(try await device.status().pending == 1)
      #expect(try await device.attempt("sync", "--dry-run", "--full").status == 64)
    }
  }

  @Test("a notification counts what it does not show, and its signs do not reach the desktop as marks")
  func notification() throws {
    let today = try #require(CalendarDay("2026-11-21"))
    let items = [TodoItem(id: "1", text: "a <b> & c due:2026-11-20"), TodoItem(id: "2", text: "tea due:2026-11-21")]
    let shown = try #require(Notification(items, count: 5, today: today))
    #expect(shown.body.hasPrefix("a &lt;b&gt; &amp; c (") && shown.body.split(separator: "\n").count == 3)
    #expect(shown.title.contains("5") && Notification([], count: 0, today: today) == nil)
  }
}
