import ArgumentParser
import Foundation
import Testing
import Words

@testable import ebb

@Suite("Commands that are read without the argument library")
struct PlainCommandTests {
  /// Command lines as people and scripts give them, right and wrong.
  static let lines: [[String]] =
    names.flatMap { name in
      tails.map { [name] + $0 }
    } + others

  private static let names = [
    "add", "a", "new", "list", "ls", "done", "do", "undone", "reopen", "delete", "rm", "del", "edit", "e", "pri",
    "depri",
    "append", "prepend", "undo", "redo", "sync",
  ]

  private static let tails: [[String]] = [
    [], ["a1b2"], ["Buy", "milk"], ["Buy oat milk"], ["a1b2", "c3d4", "e5f6"], [""], ["a", ""], ["", "b"], [" "],
    ["help"], ["-"], ["a", "-"], ["--"], ["--", "--all"], ["a", "--", "-b"], ["-a"], ["-1"], ["a", "-1"], ["--help"],
    ["-h"], ["a", "--help"], ["--version"], ["買牛奶", "+shop"], ["é"], ["(A)", "due:fri", "@home"], ["add"], ["list"],
    ["--store", "s"], ["--store", "s", "a", "b"], ["a", "--store", "s", "b"], ["a", "b", "--store", "s"], ["--store"],
    ["a", "--store"], ["--store", ""], ["--store", "-s"], ["--store", "--all"], ["--store=s", "a"],
    ["--store", "s", "--store", "t"],
    ["a", "b", "--server", "http://h", "--token-file", "t", "--config", "c", "--store", "s"], ["--serve", "x"],
    ["--server", "x", "a"], ["--color", "never", "a"], ["--plain"], ["a", "--no-mouse"],
    ["--ascii", "a"], ["a", "--ascii"], ["--ascii", "--ascii"],
    ["--all"], ["--done"], ["--json"], ["a", "--json", "--done"], ["--all", "--done"], ["--all", "--all"],
    ["--json", "--json"], ["--sort", "due"], ["--sort", "nothing"], ["--sort"], ["--no-all"], ["--all=true"],
    ["--jso"], ["-j"], ["--all", "milk", "--store", "s", "bread"], ["--force"], ["--full"], ["--keep", "mine"],
    ["--yes", "a"], ["a", "-y"], ["-y", "--yes", "a"], ["--no-input"], ["a", "--no-input"], ["--editor", "a", "b"],
    ["a,b"],
    ["--json", "--no-input"], ["--color", "always", "a"], ["a", "--color"], ["a", "b", "C"], ["-", "-"],
  ]

  private static let others: [[String]] = [
    [], [""], ["help"], ["help", "add"], ["--help"], ["--version"], ["--store", "s"], ["--store", "s", "add", "a"],
    ["sync"], ["status"], ["ad", "a"], ["Add", "a"], ["add "], ["doctor"], ["resolve", "a", "--keep", "mine"],
    ["--", "add"], ["--store", "s", "list"], ["--ascii", "list"], ["--all", "list"], ["--store", "s", "--all", "list"],
    ["--json", "add", "a"], ["--store", "s", "--server", "http://h", "done", "a1b2"],
    ["--store", "s", "add", "a", "--store", "t"],
    ["--store", "s", "--store", "t", "list"], ["--store", "list"], ["--plain", "list"], ["--store", "", "list"],
    ["--generate-completion-script", "bash"],
  ]

  @Test("they mean what the library makes of them, and what it refuses is left to it", arguments: lines)
  func same(line: [String]) {
    guard let plain = PlainCommand(line) else { return }
    let read = try? Ebb.parseAsRoot(line)
    #expect((read as? any PlainlyRead)?.plain == plain, "\(line)")
  }

  @Test("what is given most often is plain")
  func plain() {
    #expect(
      PlainCommand(["sync", "--json", "--store", "s"])
        == PlainCommand(.sync(SyncChoices(json: true)), SettingFlags(store: "s")))
    #expect(PlainCommand(["add", "Buy", "milk"]) == PlainCommand(.add(text: "Buy milk"), SettingFlags()))
    #expect(
      PlainCommand(["done", "a1b2", "--store", "s"])
        == PlainCommand(.setComplete(["a1b2"], true), SettingFlags(store: "s")))
    #expect(Self.lines.filter { PlainCommand($0) != nil }.count > 90)
  }
}

@Suite("Paths as they are typed")
struct TypedPathTests {
  @Test(
    "one that is not absolute begins in the folder of the program",
    arguments: [
      ("list.sqlite", "list.sqlite"), ("./a/../b", "b"), ("a//b/", "a/b"), ("a/./b", "a/b"), ("..", ".."),
      ("../x", "../x"),
      ("../../../../../../../../x", "../../../../../../../../x"), ("é 買.sqlite", "é 買.sqlite"), (".hidden", ".hidden"),
    ])
  func relative(typed: String, expected: String) {
    let url = URL(filePath: expected, relativeTo: .currentDirectory()).standardizedFileURL
    #expect(DefaultPaths([:]).absolute(typed) == url.path)
  }
}
