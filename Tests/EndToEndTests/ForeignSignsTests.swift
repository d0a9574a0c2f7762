import Foundation
import Testing

@testable import ebb

@Suite("A text with signs of other programs", .serialized, .timeLimit(.minutes(2)))
struct ForeignSignsTests {
  @Test("that begins as a done line of a todo.txt is added as open, and that is said")
  func doneSign() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let one = try await device.attempt("add", "x", "2026-11-01", "pay rent")
      #expect(one.status == 0 && one.complaints.count == 1 && one.error.contains("1 item was added as open"), "\(one)")
      let add = try device.words(["add", "-"]).joined(separator: " ")
      let lines = try await CommandRunner(workspace: workspace).run(
        ["/bin/sh", "-c", "printf 'x milk\\n x tea\\nxylophone\\nX-ray\\n' | \(add)"])
      #expect(lines.complaints.count == 1 && lines.error.contains("2 items were added as open"), "\(lines)")
      let texts = ["x 2026-11-01 pay rent", "x milk", "x tea", "xylophone", "X-ray"]
      #expect(try await device.items().map(\.text) == texts)
    }
  }

  @Test("with a ticked box is added as open too, and that is said whether the box is left out or stays")
  func tickedBox() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let add = try device.words(["add", "-"]).joined(separator: " ")
      for (lines, said) in [
        ("'- [x] milk'", "1 item was added as open, though its box is ticked"),
        ("'- [x] rent' '* [X] tea' '- [ ] rye'", "2 items were added as open, though their boxes are ticked"),
        ("'- [x] salt' oil", "1 item was added as open, though its box is ticked"),
        ("'☑ nuts' '☐ figs'", "1 item was added as open, though its box is ticked"),
        ("'2) [x] pay'", "1 item was added as open, though its box is ticked"),
      ] {
        let added = try await CommandRunner(workspace: workspace).run(
          ["/bin/sh", "-c", "printf '%s\\n' \(lines) | \(add)"])
        #expect(added.complaints.count == 1 && added.error.contains(said), "\(added)")
      }
      let both = try await CommandRunner(workspace: workspace).run(["/bin/sh", "-c", "echo '- [x] x wax' | \(add)"])
      #expect(both.complaints.count == 1 && both.error.contains("though its box is ticked"), "\(both)")
      #expect(try await device.attempt("add", "* [x] soap").error.contains("1 item was added as open"))
      #expect(try await device.attempt("add", "[x] ham").error.isEmpty, "without the mark of a list it is text")
      let texts = [
        "milk", "rent", "tea", "rye", "- [x] salt", "oil", "nuts", "figs", "pay", "x wax", "* [x] soap", "[x] ham",
      ]
      #expect(try await device.items().map(\.text) == texts)
    }
  }

  @Test("is advised to go to an import if that keeps each line and its tick, and to be completed if it does not")
  func advice() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for (lines, command) in [
        ("'- [x] salt' oil", "run ebb done"), ("'• [x] milk'", "give all these lines to ebb import."),
        ("'x rent' rye", "give all these lines to ebb import --format todotxt."),
        ("'x rent' '- [x] tea'", "run ebb done"),
      ] {
        let add = try device.words(["add", "-"]).joined(separator: " ")
        let added = try await CommandRunner(workspace: workspace).run(
          ["/bin/sh", "-c", "printf '%s\\n' \(lines) | \(add)"])
        #expect(added.complaints.count == 1 && added.error.contains(command), "\(added)")
      }
    }
  }

  @Test("has the mark of a list before it, which is left out if every line of the input has one")
  func listMarks() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let add = try device.words(["add", "-"]).joined(separator: " ")
      for lines in [
        "'- [ ] Water the plants' '  * Fix the door'", "'- [ ] Call Ana'", "'- milk' tea", "'24. Dec gifts'",
        "'24. Dec' '31. Dec'",
      ] {
        _ = try await CommandRunner(workspace: workspace).run(["/bin/sh", "-c", "printf '%s\\n' \(lines) | \(add)"])
      }
      let texts = [
        "Water the plants", "Fix the door", "Call Ana", "- milk", "tea", "24. Dec gifts", "24. Dec", "31. Dec",
      ]
      #expect(try await device.items().map(\.text) == texts)
    }
  }

  @Test("has the words in it that Taskwarrior takes for a project or a priority, and no others")
  func foreignWords() {
    for (text, words) in [
      ("milk project:shop pri:H", ["project:shop", "pri:H"]), ("Priority:A rent", ["Priority:A"]),
      ("project: x", []), ("http://a.b t:2026-12-01 due:fri my-project:x", []),
    ] as [(String, [String])] {
      #expect(ForeignSigns.foreignWords(in: text).map { String($0) } == words, "\(text)")
    }
  }

  @Test("keeps such a word, and a person at a terminal reads how to write a project")
  func foreignWordsSaid() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let typed = try await TerminalSession.open(workspace, try device.words(["add", "milk", "project:shop"]))
      #expect(try await typed.exitStatus() == 0)
      #expect(try await typed.screen().words.contains("Kept as text: project:shop. Write a project as +shop"))
      #expect(try await device.attempt("add", "tea project:shop").error.isEmpty)
      #expect(try await device.items().map(\.text) == ["milk project:shop", "tea project:shop"])
    }
  }

  @Test("from a file keeps dates in words, and those of new open items are named with their lines")
  func datesInWords() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let todo = workspace.path("todo.txt")
      try "call due:today\npay due:2026-12-24 due:fri\nx rent due:fri\nask due:nothing\nsee due:in 3 days\n"
        .write(toFile: todo, atomically: true, encoding: .utf8)
      for words in [["import", "--dry-run", todo], ["import", todo]] {
        let outcome = try await CommandRunner(workspace: workspace).run(try device.words(words))
        #expect(outcome.complaints.count == 1, "\(outcome)")
        let remark = "Kept as text: due “today” (line 1), due “in 3 days” (line 5). In a text"
        #expect(outcome.error.contains(remark), "\(outcome)")
      }
      #expect(try await device.items().map(\.text).contains("call due:today"))
      #expect(try await device.ebb("import", todo).error.isEmpty)
    }
  }
}
