import Foundation
import Terminal
import Testing

@testable import ebb

@Suite("The help", .timeLimit(.minutes(3)))
struct HelpTests {
  @Test("no line of a help is wider than 80 columns", arguments: ["C", "es_ES", "ja_JP", "zh_TW"])
  func width(locale: String) async throws {
    try await Workspace.use { workspace in
      for words in [["import", "--help"], ["help", "edit"], ["help", "list"], ["help", "config"], ["--help"]] {
        let help = try await CommandRunner(workspace: workspace).run(
          [try Binary.ebb()] + words, environment: ["LC_ALL": locale + ".UTF-8"])
        let wide = help.output.split(separator: "\n").filter { TextWidth.columns(of: String($0)) > 80 }
        #expect(help.status == 0 && wide.isEmpty, "\(wide)")
      }
    }
  }

  @Test("the usage goes on behind its heading, an option stays beside its value, and pri has its letter at the end")
  func usage() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let lines = try await runner.ebb("help", "list").output.split(separator: "\n")
      let start = try #require(lines.firstIndex { $0.hasPrefix("USAGE: ebb list [--store <file>]") })
      #expect(lines[start + 1].hasPrefix("       ["), "\(lines[start + 1])")
      for line in lines[start...].prefix(3) { #expect(line.hasSuffix("]"), "\(line)") }
      #expect(try await runner.ebb("help", "pri").output.contains("USAGE: ebb pri [<options>] <handle> ... <letter>\n"))
    }
  }

  @Test("lists the commands and the topics, in the user's language")
  func lists() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let help = try await runner.ebb("help")
      #expect(help.status == 0 && help.output.contains("SUBCOMMANDS:") && help.output.contains("Topics, to read"))
      let japanese = try await runner.ebb("help", environment: ["LC_ALL": "ja_JP.UTF-8"])
      #expect(japanese.output.contains("  sync           同期のしくみ\n"), "\(japanese)")
    }
  }

  @Test("every topic has a page with a heading, which a pipe gets as it stands", arguments: HelpTopic.allCases)
  func topics(topic: HelpTopic) async throws {
    try await Workspace.use { workspace in
      let help = try await CommandRunner(workspace: workspace).ebb("help", topic.rawValue)
      #expect(help.status == 0 && help.error.isEmpty, "\(help)")
      #expect(help.output.count > 400 && !help.output.contains("\u{1B}"))
      let hasHeading = help.output.split(separator: "\n").contains { $0.hasPrefix("# ") || $0.hasPrefix("## ") }
      #expect(hasHeading || [.filters, .licence].contains(topic))
    }
  }

  @Test("a command that is a topic too is shown with its page; a command below another is found by both names")
  func commands() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let sync = try await runner.ebb("help", "sync")
      #expect(sync.output.contains("USAGE: ebb sync") && sync.output.contains("## How sync works"))
      let backup = try await runner.ebb("help", "serve", "backup")
      #expect(backup.output.contains("USAGE: ebb serve backup") && !backup.output.contains("Topics"))
    }
  }

  @Test(
    "a word that is none is one sentence with the nearest one, and exit code 64",
    arguments: [
      ("sycn", "Did you mean sync?"), ("qqqqqq", nil), ("Wire", "Did you mean wire?"),
      ("list\u{1B}x", "Did you mean list?"),
    ])
  func unknown(word: String, nearest: String?) async throws {
    try await Workspace.use { workspace in
      let help = try await CommandRunner(workspace: workspace).ebb("help", word)
      #expect(help.status == 64 && help.output.isEmpty && help.complaints.count == 1, "\(help)")
      #expect(help.error.contains("Did you mean") == (nearest != nil) && !help.error.contains("\u{1B}"), "\(help)")
      if let nearest { #expect(help.error.contains(nearest)) }
    }
  }

  @Test("on a terminal a page goes through $PAGER, with its headings in bold; without a pager it is printed")
  func pager() async throws {
    try await Workspace.use { workspace in
      let seen = workspace.path("seen")
      let paged = try await TerminalSession.open(
        workspace, [try Binary.ebb(), "help", "security"],
        environment: ["PAGER": "cat >\(seen); echo the pager ended", "TERM": "screen-256color"])
      try await paged.wait("the pager") { $0.lines.contains { $0.hasPrefix("the pager ended") } }
      #expect(try await paged.exitStatus() == 0)
      let text = try String(contentsOfFile: seen, encoding: .utf8)
      #expect(text.hasPrefix("\u{1B}[1mSecurity\u{1B}[0m\n") && !text.contains("|---|"), "\(text.prefix(200))")
      #expect(text.split(separator: "\n").allSatisfy { $0.count < 100 })
      for environment in [["PAGER": "no-such-pager"], ["PAGER": "less", "TERM": "dumb"]] {
        let plain = try await TerminalSession.open(
          workspace, [try Binary.ebb(), "help", "licence"],
          environment: environment.merging(["TERM": "screen-256color"]) { own, _ in own })
        try await plain.wait("the licence") { $0.lines.contains { $0.contains("MIT License") } }
        #expect(try await plain.exitStatus() == 0)
      }
    }
  }

  @Test("a reader that has seen enough, and a pager that ends at once, are no failure")
  func closedPipe() async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      let piped = try await runner.run(["sh", "-c", "\"$0\" help rules | head -n 1", try Binary.ebb()])
      #expect(piped.output == "# Sync rules\n" && piped.error.isEmpty, "\(piped)")
      let paged = try await TerminalSession.open(
        workspace, [try Binary.ebb(), "help", "rules"], environment: ["PAGER": "true", "TERM": "screen-256color"])
      #expect(try await paged.exitStatus() == 0)
    }
  }

  @Test("the page of the filters keeps its columns on a terminal too")
  func filters() {
    #expect(HelpTopic.filters.page(width: 100) == HelpTopic.filters.page)
    #expect(HelpTopic.filters.page.contains("\n+shop  @town    a project"))
  }

  @Test("Markdown is laid out: bold words, lists, tables of which each cell is a paragraph, code as it stands")
  func markdown() {
    let page = """
      # A `b`

      Some **strong** words that
      go [on](x.md) for longer than a line.

      - one item that is long enough
      <a id="x"></a>

      | a | b |
      |---|---|
      | `x\\|y` | means something that is long |

      ```
      as  it | stands
      ```
      """
    let text = MarkdownPage(page, width: 25).text
      .replacing("\u{1B}[1m", with: "<").replacing("\u{1B}[0m", with: ">")
    #expect(
      text == """
        <A b>

        Some <strong> words that
        go on for longer than a
        line.

        - one item that is long
           enough

          <x|y>
              means something
              that is long

            as  it | stands
        """)
  }

  @Test("the nearest word is one with a letter wrong, missing, too many or swapped, and none is better than a far one")
  func nearest() {
    let words = ["list", "sync", "conflicts", "done", "export", "copy", "delete", "del", "rm", "purge"]
    for (typed, word) in [
      ("lsit", "list"), ("lis", "list"), ("lst", "list"), ("synch", "sync"), ("SYNC", "sync"),
      ("conflict", "conflicts"), ("exsport", "export"), ("dome", "done"), ("dne", "done"), ("delte", "delete"),
      ("pruge", "purge"), ("pur", "purge"), ("xyz", nil), ("", nil), ("l", nil),
      // A far one, and one that removes something: none is better.
      ("note", nil), ("move", nil), ("nope", nil), ("clear", nil), ("rem", nil), ("de", nil), ("dlt", nil),
    ] as [(String, String?)] {
      #expect(Nearest.word(to: typed, among: words) == word, "\(typed)")
    }
  }
}
