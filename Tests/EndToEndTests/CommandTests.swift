import Foundation
import GRDB
import Testing

@Suite("The commands", .serialized, .timeLimit(.minutes(5)))
struct CommandTests {
  @Test("add, edit, done, undone and delete do what they say, and list shows it")
  func changesItems() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let milk = try await device.add("Buy milk +shop")
      let tea = try await device.add("買茶 🍵")
      #expect(try await device.items().map(\.text).sorted() == ["Buy milk +shop", "買茶 🍵"])
      try await device.ebb("edit", milk, "Buy", "oat", "milk")
      try await device.ebb("done", tea)
      #expect(try await device.items().map(\.text) == ["Buy oat milk"])
      #expect(try await device.items("--done").map(\.text) == ["買茶 🍵"])
      try await device.ebb("undone", tea)
      try await device.ebb("delete", milk)
      #expect(try await device.items("--all").map(\.text) == ["買茶 🍵"])
    }
  }

  @Test("words after add are joined, and options can be ended with two dashes")
  func joinsWords() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      try await device.ebb("add", "Call", "the", "plumber")
      let words = try [Binary.ebb(), "add", "--store", device.store, "--", "--all", "is", "text"]
      #expect(try await CommandRunner(workspace: workspace).run(words).status == 0)
      #expect(try await device.items().map(\.text).sorted() == ["--all is text", "Call the plumber"])
    }
  }

  @Test("a list is narrowed by words, +project and @context, without regard to case")
  func filters() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for text in ["Buy milk +shop", "Buy stamps @town", "Read +Shopping"] { _ = try await device.add(text) }
      #expect(Set(try await device.items("buy").map(\.text)) == ["Buy milk +shop", "Buy stamps @town"])
      #expect(try await device.items("buy", "@town").map(\.text) == ["Buy stamps @town"])
      #expect(try await device.items("nothing like it") == [])
    }
  }

  @Test("a list is sorted as asked, and its filter knows dates, priorities and what is not wanted")
  func sorts() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for text in ["milk due:2030-02-01", "(A) Rent", "bread due:2030-01-01 +shop"] { _ = try await device.add(text) }
      let texts = try await device.items("--sort", "due").map(\.text)
      #expect(texts == ["bread due:2030-01-01 +shop", "milk due:2030-02-01", "(A) Rent"])
      #expect(try await device.items("--sort", "priority").map(\.text).first == "(A) Rent")
      #expect(try await device.items("--sort", "text").map(\.text).last == "milk due:2030-02-01")
      #expect(try await device.items("due:<2030-01-15").map(\.text) == ["bread due:2030-01-01 +shop"])
      #expect(try await device.items("!due:", "(a)").map(\.text) == ["(A) Rent"])
      #expect(try await device.items("!+shop", "mlk").map(\.text) == ["milk due:2030-02-01"])
    }
  }

  @Test(
    "a filter that is not understood is one sentence with its place and exit code 64, and never everything",
    arguments: [
      ("due:<2026-13", "character 1"), ("milk due:overdu", "character 6"), ("(milk", "character 1"),
      ("milk |", "character 6"),
    ])
  func badFilter(filter: String, place: String) async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk due:2030-01-01")
      for words in [["list", filter], ["list", "--json"] + filter.split(separator: " ").map(String.init)] {
        let outcome = try await CommandRunner(workspace: workspace).run(try device.words(words))
        #expect(outcome.status == 64 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.complaints.count == 1 && outcome.error.contains(place), "\(outcome)")
      }
    }
  }

  @Test("or, ranges, months, accents and when an item was done narrow a list")
  func moreFilters() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      for text in ["milk due:2030-02-01", "Léo due:2030-03-01", "bread"] { _ = try await device.add(text) }
      let done = try await device.add("tea")
      try await device.ebb("done", done)
      func texts(_ filter: String) async throws -> Set<String> { Set(try await device.items(filter).map(\.text)) }
      #expect(try await texts("leo | bread") == ["Léo due:2030-03-01", "bread"])
      #expect(try await texts("due:<2030-03") == ["milk due:2030-02-01"])
      #expect(try await texts("due:2030-02-01..2030-03") == ["milk due:2030-02-01", "Léo due:2030-03-01"])
      #expect(try await texts("vence:2030-03") == ["Léo due:2030-03-01"])
      #expect(try await texts("done:today") == ["tea"])
      #expect(try await texts("created:today !due:") == ["bread"])
    }
  }

  @Test("a done item of a file without its day is done on no day: done:none finds it, and JSON has null")
  func doneOnNoDay() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let file = workspace.path("todo.txt")
      try "x undated\n".write(toFile: file, atomically: true, encoding: .utf8)
      try await device.ebb("import", file)
      #expect(try await device.items("--done", "done:today").isEmpty)
      #expect(try await device.items("--done", "done:none").map(\.text) == ["undated"])
      #expect(try await device.ebb("list", "--done", "--json").output.contains("\"done\":null"))
    }
  }

  @Test("a date that is none is kept as text, and that is said")
  func noDate() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let added = try await device.attempt("add", "keys", "due:someday")
      #expect(added.status == 0 && added.error.contains("due:someday is no date, so it was kept as text"), "\(added)")
      let handle = added.output.split(separator: "\n").joined()
      let edited = try await device.attempt("edit", handle, "keys", "due:12/40")
      #expect(edited.status == 0 && edited.error.contains("due:12/40 is no date"), "\(edited)")
      #expect(try await device.attempt("edit", handle, "keys", "due:eow").error == "")
      let both = try await device.attempt("add", "list overdue:31 nov due:2 jan 2030")
      #expect(both.status == 0 && both.error.contains("overdue:31 nov is no date"), "\(both)")
      #expect(try await device.items("due:2030-01-02").map(\.text) == ["list overdue:31 nov due:2030-01-02"])
      let ahead = try await device.attempt("add", "pay overdue:tomorrow")
      #expect(ahead.error.contains("overdue:tomorrow counts as text: only a day before today is overdue."), "\(ahead)")
    }
  }

  @Test("the lines below the first are a note: the list shows a sign, JSON all of it, a new first line keeps it")
  func notes() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("milk\n\ntwo litres")
      #expect(try await device.ebb("list").output.hasSuffix("milk ≡\n"))
      #expect(try await device.items("note:litre").map(\.text) == ["milk\n\ntwo litres"])
      try await device.ebb("edit", handle, "oat", "milk")
      #expect(try await device.items().map(\.text) == ["oat milk\n\ntwo litres"])
      try await device.ebb("edit", handle, "oat milk␤one litre")
      #expect(try await device.items().map(\.text) == ["oat milk\none litre"])
    }
  }

  @Test("an output that can't be written does not turn a change that is made into a failure")
  func closedOutput() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let command = try device.words(["add", "milk"]).joined(separator: " ")
      let outcome = try await CommandRunner(workspace: workspace).run(["/bin/sh", "-c", command + " >/dev/full"])
      #expect(outcome.status == 0 && outcome.error.contains("The change is made"), "\(outcome)")
      let list = try device.words(["list"]).joined(separator: " ")
      #expect(try await CommandRunner(workspace: workspace).run(["/bin/sh", "-c", list + " >/dev/full"]).status == 1)
      #expect(try await device.items().map(\.text) == ["milk"])
    }
  }

  @Test("a limit for the size of files ends no command: it says what can't be used, and what was there stays")
  func limitedFiles() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("milk")
      let words = try device.words(["add", String(repeating: "x", count: 60_000)])
      let outcome = try await CommandRunner(workspace: workspace).run(
        ["bash", "-c", #"ulimit -f 40; exec "$@""#, "bash"] + words)
      #expect(outcome.status == 1 && outcome.error.contains("Nothing was changed."), "\(outcome)")
      #expect(try await device.items().map(\.text) == ["milk"])
    }
  }

  @Test("of many lines that can't be written one is told")
  func closedOutputs() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handles = try await device.add("milk") + "," + device.add("bread")
      let command = try device.words(["done", handles]).joined(separator: " ")
      let outcome = try await CommandRunner(workspace: workspace).run(["/bin/sh", "-c", command + " >/dev/full"])
      #expect(outcome.status == 0 && outcome.error.split(separator: "\n").count == 1, "\(outcome)")
    }
  }

  @Test("looking at a list that is not there makes none, and a folder that has to be made is said")
  func noStore() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let outcome = try await device.attempt("list")
      #expect(outcome.status == 0 && outcome.output.isEmpty && outcome.error.contains("is not there yet"), "\(outcome)")
      let runner = CommandRunner(workspace: workspace)
      for words in [["done", "zz"], ["edit", "zz", "x"], ["delete", "zz"], ["pri", "zz", "A"], ["undo"], ["redo"]] {
        #expect(try await runner.run(try device.words(words)).status == 1, "\(words)")
      }
      #expect(!FileManager.default.fileExists(atPath: device.store))
      let other = Device(workspace, name: "typo/list")
      let added = try await other.attempt("add", "milk")
      #expect(added.status == 0 && added.error.contains("a new list was made"), "\(added)")
      #expect(try await other.attempt("list").error == "")
    }
  }

  @Test("the handle of an item that was just deleted is answered with the way back, until something else is changed")
  func justDeleted() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let milk = try await device.add("milk")
      try await device.ebb("delete", milk)
      let edited = try await device.attempt("edit", milk, "oat milk")
      #expect(edited.status == 1)
      #expect(edited.complaints == ["ebb: The item \(milk) was just deleted. ebb undo brings it back."])
      #expect(try await device.attempt("done", "zzzz").error.contains("No item's handle begins with zzzz."))
      _ = try await device.add("tea")
      #expect(try await device.attempt("edit", milk, "oat milk").error.contains("No item's handle begins with"))
    }
  }

  @Test("a number completes and deletes no item whose id happens to begin so")
  func numbers() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, name: "numbers")
      for number in 0..<40 { try await device.ebb("add", "item \(number)") }
      for line in ["done 1", "delete 7 --yes", "done 2,3", "pri 42 A", "edit 5 x"] {
        let words = line.split(separator: " ").map(String.init)
        let outcome = try await CommandRunner(workspace: workspace).run(try device.words(words))
        #expect(outcome.status == 1 && outcome.error.contains("Items have no numbers"), "\(words): \(outcome)")
      }
      let items: [ListedItem] = try await device.ebb("list", "--all", "--json").decoded()
      #expect(items.count == 40 && items.allSatisfy { !$0.complete && $0.text.hasPrefix("item ") })
    }
  }

  @Test("looking for what waits or was refused makes no list either, and neither does a sync that is only tried")
  func noStoreToSync() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace, name: "none/list", server: "http://127.0.0.1:9")
      for (words, status, beginning) in [
        (["status"], 0, "waiting to be sent: 0\n"), (["status", "--json"], 0, "{\"pending\":0,"),
        (["conflicts"], 0, "Nothing waits"), (["conflicts", "--json"], 0, "[]\n"),
        (["purge"], 0, "0 items removed here\n"), (["resolve", "zz", "--keep", "mine"], 1, ""),
        (["sync", "--dry-run"], 0, "Nothing would be sent.\n"), (["sync", "-n", "--json"], 0, "[]\n"),
      ] as [([String], Int32, String)] {
        let outcome = try await CommandRunner(workspace: workspace).run(try device.words(words))
        #expect(outcome.status == status && outcome.output.hasPrefix(beginning), "\(outcome)")
        #expect(outcome.error.contains("is not there yet; the first change makes it"), "\(outcome)")
      }
      #expect(!FileManager.default.fileExists(atPath: workspace.path("none")))
    }
  }

  @Test("a list that can't be reached is not told as one that is empty")
  func unreachableStore() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      // Not a folder: what the permissions of one would say, they do not say to root.
      try "".write(toFile: workspace.path("file"), atomically: false, encoding: .utf8)
      let store = ["--store", workspace.path("file/ebb.sqlite")]
      for words in [["list"], ["export"], ["agenda"], ["projects"], ["remind"], ["done", "zz"]] {
        let outcome = try await runner.run([try Binary.ebb()] + words + store)
        #expect(outcome.status != 0 && outcome.output.isEmpty && outcome.complaints.count == 1, "\(words): \(outcome)")
      }
    }
  }

  @Test("a list of which the log alone is left is not told as one that is empty, and the log stays")
  func logAlone() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let log = Data(repeating: 7, count: 4_096 + 56)
      try log.write(to: URL(filePath: device.store + "-wal"))
      for words in [["list"], ["list", "--json"], ["export"], ["agenda"], ["projects"], ["status"], ["done", "zz"]] {
        let outcome = try await CommandRunner(workspace: workspace).run(try device.words(words))
        #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.complaints.count == 1, "\(words): \(outcome)")
        #expect(outcome.error.contains("is missing, but its log is still there"), "\(words): \(outcome)")
      }
      #expect(try Data(contentsOf: URL(filePath: device.store + "-wal")) == log)
      #expect(!FileManager.default.fileExists(atPath: device.store))
    }
  }

  @Test("show prints an item whole: the line, the note with its tabs, and what is known of it")
  func show() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("(A) milk +shop due:2026-12-24\n\ttwo litres\nby Friday")
      let lines = try await device.ebb("show", handle).output.split(separator: "\n").map(String.init)
      #expect(lines.first == "\(handle) [ ]   (A) milk +shop due:2026-12-24 ≡", "\(lines)")
      #expect(lines.dropFirst().prefix(2) == ["        two litres", "    by Friday"])
      #expect(lines.contains { $0.hasPrefix("  priority") && $0.hasSuffix("A") }, "\(lines)")
      #expect(lines.contains { $0.hasPrefix("  projects") && $0.hasSuffix("+shop") })
      #expect(try await device.ebb("show", handle, "--json").output.contains("two litres"))
      #expect(try await device.attempt("show", "zz").status == 1)
      #expect(try await device.ebb("info", handle).output == device.ebb("view", handle).output)
    }
  }

  @Test("a date in words becomes a date when an item is added or edited")
  func resolvesDates() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("milk due:2030-1-5")
      #expect(try await device.items().map(\.text) == ["milk due:2030-01-05"])
      try await device.ebb("edit", handle, "milk", "due:tomorrow")
      let text = try #require(try await device.items().first?.text)
      #expect(text.wholeMatch(of: /milk due:20\d\d-\d\d-\d\d/) != nil)
    }
  }

  @Test("list --json is an array of objects with all their keys, also where nothing is known")
  func listIsParseable() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let empty = try await device.ebb("list", "--json").output
      #expect(try JSONSerialization.jsonObject(with: Data(empty.utf8)) as? [String] == [])
      let handle = try await device.add("Say \"hello\"\\ and 你好")
      let text = try await device.ebb("list", "--json").output
      let item = try #require((try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])?.first)
      #expect(
        Set(item.keys) == [
          "handle", "id", "text", "complete", "priority", "due", "projects", "contexts", "note", "created", "done",
          "createdAt",
          "updatedAt", "version", "pending", "conflict",
        ])
      let listed = try #require(try await device.items().first)
      #expect(listed.handle == handle && listed.id.hasPrefix(handle) && listed.id == listed.id.lowercased())
      #expect(listed.text == "Say \"hello\"\\ and 你好")
      #expect(listed.pending == "insert" && listed.version == nil && listed.conflict == false)
    }
  }

  @Test("list --json says what the signs in a text mean, and has the note apart")
  func listSaysWhatSignsMean() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("(B) Paint +home \"+a b\" @town due:2030-01-05␤two coats")
      _ = try await device.add("nothing of the kind")
      let items: [[String: Any]] = try #require(
        JSONSerialization.jsonObject(with: Data(try await device.ebb("list", "--json").output.utf8)) as? [[String: Any]]
      )
      let full = try #require(items.first { ($0["text"] as? String)?.hasPrefix("(B)") == true })
      #expect(full["priority"] as? String == "B" && full["due"] as? String == "2030-01-05")
      #expect(full["projects"] as? [String] == ["+home"] && full["contexts"] as? [String] == ["@town"])
      #expect(full["note"] as? String == "two coats")
      let bare = try #require(items.first { ($0["text"] as? String)?.hasPrefix("nothing") == true })
      #expect(bare["projects"] as? [String] == [] && bare["contexts"] as? [String] == [])
      for name in ["priority", "due", "note"] { #expect(bare[name] is NSNull, "\(name)") }
    }
  }

  @Test("without a server nothing is said of what waits for one")
  func noServer() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let handle = try await device.add("milk")
      #expect(try await device.ebb("list").output == "\(handle) [ ]   milk\n")
      #expect(try await device.ebb("done", handle).output == "\(handle) [x]   milk\n")
      #expect(try await device.ebb("status").output == "server: none; ebb join LINK, or name one with --server URL\n")
      let named = try await device.ebb("list", "--all", "--server", "http://127.0.0.1:9").output
      #expect(named == "\(handle) [x] ↑ milk\n")
    }
  }

  @Test("status counts what waits, and pending says how, until a sync has sent it")
  func countsWhatWaits() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      let kept = try await device.add("Kept")
      let gone = try await device.add("Gone")
      #expect(try await device.status().pending == 2)
      let first: ListedSync = try await device.ebb("sync", "--json").decoded()
      #expect(first.pushed == 2 && first.failed == 0 && first.conflicts == 0)
      let synced = try await device.status()
      #expect(synced.pending == 0 && synced.lastPush != nil && synced.lastPull != nil && synced.server == server.url)
      try await device.ebb("done", kept)
      try await device.ebb("delete", gone)
      #expect(try await device.status().pending == 2)
      #expect(try await device.items("--all").map(\.pending) == ["update"])
      try await device.ebb("sync")
      #expect(try await Curl(server: server).items().map(\.complete) == [true])
    }
  }

  @Test("the receipt says whether both sides have the same, and --verify compares every item")
  func comparesBothSides() async throws {
    try await Workspace.use { workspace in
      let server = try await ServerProcess.start(workspace)
      let device = Device(workspace, server: server.url)
      let lost = try await device.add("Lost")
      _ = try await device.add("Kept")
      #expect(try await device.ebb("sync").output == "sent 2 · received 0 · 2 here, 2 there, the same\n")
      #expect(try await device.ebb("sync", "--verify").output == "2 here, 2 there, the same\n")
      let store = try DatabaseQueue(path: device.store)
      try await store.write { try $0.execute(sql: "DELETE FROM TodoItem WHERE id LIKE ?", arguments: [lost + "%"]) }
      try store.close()
      _ = try await device.add("Another")
      let damaged = try await device.attempt("sync")
      #expect(damaged.status == 1)
      #expect(damaged.output == "sent 1 · received 0 · 2 here, 3 there, not the same\n")
      #expect(damaged.error == "ebb: This list and the server's differ; ebb sync --full compares everything.\n")
      let verified = try await device.attempt("sync", "--verify")
      #expect(verified.status == 1)
      #expect(verified.output == "2 here, 3 there: 1 missing here, 0 missing there, 0 different\n")
      let mended: ListedSync = try await device.ebb("sync", "--full", "--json").decoded()
      #expect(mended.here == 3 && mended.there == 3 && mended.same == true && mended.pulled == 1)
      #expect(try await device.attempt("sync", "--verify", "--full").status == 64)
    }
  }

  @Test("an item added and deleted before it was ever sent leaves nothing to send")
  func sendsNothingForNothing() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      try await device.ebb("delete", try await device.add("A thought better of"))
      #expect(try await device.status().pending == 0)
    }
  }

  @Test("the environment names store and server, and a flag goes before it")
  func readsTheEnvironment() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      _ = try await device.add("From the environment")
      let settings = ["EBB_STORE": device.store, "EBB_SERVER": "http://ebb.invalid"]
      let runner = CommandRunner(workspace: workspace)
      let read = try await runner.ebb("list", "--json", environment: settings)
      #expect(try read.decoded([ListedItem].self).map(\.text) == ["From the environment"])
      let other = try await runner.ebb(
        "list", "--json", "--store", workspace.path("other.sqlite"), environment: settings)
      #expect(try other.decoded([ListedItem].self) == [])
      let status = try await runner.ebb("status", "--json", environment: settings)
      #expect(try status.decoded(ListedStatus.self).server == "http://ebb.invalid")
    }
  }

  @Test("without settings the store is in the data folder of the person, made when needed")
  func usesTheDataFolder() async throws {
    try await Workspace.use { workspace in
      let outcome = try await CommandRunner(workspace: workspace).ebb("add", "At home")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(FileManager.default.fileExists(atPath: workspace.path("data/ebb/ebb.sqlite")))
    }
  }
}
