import Foundation
import Testing

@Suite("Importing a folder", .timeLimit(.minutes(2)))
struct CalendarFolderTests {
  private func write(_ content: String, _ workspace: Workspace, _ path: String) throws {
    let file = URL(fileURLWithPath: workspace.path(path))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("BEGIN:VCALENDAR\n\(content)END:VCALENDAR\n".utf8).write(to: file)
  }

  private func todo(_ text: String) -> String { "BEGIN:VTODO\nUID:\(text)\nSUMMARY:\(text)\nEND:VTODO\n" }

  private func link(_ workspace: Workspace, _ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: workspace.path(path), withDestinationPath: target)
  }

  @Test("links that lead out of it, to folders and to files, are not followed but named; others are")
  func links() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      try write(todo("milk"), workspace, "calendars/home/milk.ics")
      try write(todo("secret"), workspace, "calendars-private/diary/secret.ics")
      try link(workspace, "calendars/work", to: "../calendars-private/diary")
      try link(workspace, "calendars/root", to: "/")
      try link(workspace, "calendars/home/one.ics", to: workspace.path("calendars-private/diary/secret.ics"))
      try link(workspace, "calendars/same", to: "home")
      try link(workspace, "calendars/home/photo.jpg", to: "/etc/passwd")
      try link(workspace, "given", to: "calendars")
      let imported = try await device.ebb("import", workspace.path("given"))
      let names = "root, work, home/one.ics"
      #expect(
        imported.complaints == [
          "ebb: Left out, a link that leads out of the folder; import its target by name: \(names)."
        ])
      #expect(try await device.items().map(\.text) == ["milk +home"], "the same folder is read once")
      try await device.ebb("import", workspace.path("calendars/work"))
      #expect(try await device.items().map(\.text) == ["milk +home", "secret"], "one that is named may be a link")
    }
  }

  @Test("a folder of nothing but links that lead out of it says so, and makes no list")
  func nothingButLinks() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      try write(todo("secret"), workspace, "private/secret.ics")
      try FileManager.default.createDirectory(atPath: workspace.path("calendars"), withIntermediateDirectories: true)
      try link(workspace, "calendars/work", to: "../private")
      let outcome = try await device.attempt("import", workspace.path("calendars"))
      #expect(outcome.status == 1 && outcome.complaints.count == 2 && outcome.output.isEmpty, "\(outcome)")
      #expect(outcome.error.contains("by name: work.") && outcome.error.contains("There is no item in"), "\(outcome)")
      #expect(!FileManager.default.fileExists(atPath: device.store))
    }
  }

  @Test("a file of which several parts are left out is named once, with their number")
  func severalParts() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let event = "BEGIN:VEVENT\nSUMMARY:party\nEND:VEVENT\n"
      try write(todo("milk") + event + event, workspace, "calendars/e.ics")
      try write(event, workspace, "calendars/f.ics")
      let imported = try await device.ebb("import", workspace.path("calendars"))
      #expect(imported.complaints == ["ebb: Left out, no to-do (VEVENT): e.ics (2), f.ics."])
    }
  }
}
