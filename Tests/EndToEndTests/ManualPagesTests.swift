import Foundation
import Terminal
import Testing

@Suite("The man pages")
struct ManualPagesTests {
  /// A language: the folder of its pages, its locale, and what stands before a default.
  struct Edition: CustomTestStringConvertible, Sendable {
    let folder: String
    let locale: String
    let defaultWord: String
    var testDescription: String { locale }
  }

  static let editions = [
    Edition(folder: "", locale: "C.UTF-8", defaultWord: "Default: "),
    Edition(folder: "es/", locale: "es_ES.UTF-8", defaultWord: "Por omisión: "),
    Edition(folder: "ja/", locale: "ja_JP.UTF-8", defaultWord: "既定値: "),
    Edition(folder: "zh_TW/", locale: "zh_TW.UTF-8", defaultWord: "預設："),
  ]

  static let names = ["ebb.1", "ebb-serve.1", "ebb.5"]

  /// With `EBB_WRITE_MANUALS=1` the pages are mended instead of found wrong.
  private static let mends = ProcessInfo.processInfo.environment["EBB_WRITE_MANUALS"] == "1"

  @Test("have every command with its options, as the program declares them, in every language", arguments: editions)
  func commands(edition: Edition) async throws {
    let dump = try await Workspace.use {
      try await CommandRunner(workspace: $0).ebb(
        "--experimental-dump-help", environment: ["LC_ALL": edition.locale]
      ).decoded(CommandDump.self)
    }
    let manual = CommandManual(program: dump.command, defaultWord: edition.defaultWord)
    for part in CommandManual.Part.allCases {
      let page = ManualPage(part.place.page, folder: edition.folder)
      let expected = manual.lines(part)
      #expect(expected.count > 20)
      if Self.mends { try page.write(expected, at: part.place.mark) }
      let difference = expected.difference(from: try page.part(part.place.mark)).map { change in
        switch change {
        case .insert(_, let line, _): "+ " + line
        case .remove(_, let line, _): "- " + line
        }
      }
      #expect(
        difference.isEmpty,
        """
        \(page.name) differs from the commands; EBB_WRITE_MANUALS=1 make test FILTER=ManualPagesTests mends it:
        \(difference.joined(separator: "\n"))
        """)
    }
  }

  @Test("have the version of the program and the date of its changes", arguments: editions)
  func version(edition: Edition) async throws {
    let printed = try await Workspace.use { workspace in
      let run = CommandRunner(workspace: workspace)
      let (long, short) = (try await run.ebb("--version").output, try await run.ebb("-V").output)
      #expect(short == long)
      return long
    }
    let version = printed.trimmingCharacters(in: .newlines)
    let changes = try String(
      contentsOf: ManualPage.resources.appendingPathComponent("docs/CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(changes.firstMatch(of: /\n## (\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)\n/))
    #expect(newest.output.1 == version, "the first heading of CHANGELOG.md has another version")
    for name in Self.names {
      let title = try ManualPage(name, folder: edition.folder).lines.first { $0.hasPrefix(".TH ") } ?? ""
      #expect(title.contains(" \(newest.output.2) \"Ebb \(version)\" "), "\(edition.folder)\(name): \(title)")
    }
  }

  @Test("are well-formed: groff and mandoc have nothing to complain of", arguments: editions)
  func form(edition: Edition) async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      for name in Self.names {
        let page = ManualPage(name, folder: edition.folder)
        // A line of Japanese or Chinese has no spaces to break it at.
        let groff = try await runner.run(
          ["groff", "-K", "utf8", "-ww", "-W", "break", "-Tutf8", "-man", "-z", page.file.path])
        #expect(groff.status == 0 && groff.error.isEmpty, "\(groff)")
        let mandoc = try await runner.run(["mandoc", "-Tlint", "-W", "warning", page.file.path])
        #expect(mandoc.status == 0 && mandoc.output.isEmpty, "\(mandoc)")
      }
    }
  }

  /// Other lines are filled by the program that shows them.
  @Test("have no line that is shown as it stands and is wider than 80 columns", arguments: editions)
  func width(edition: Edition) async throws {
    try await Workspace.use { workspace in
      let runner = CommandRunner(workspace: workspace)
      for name in Self.names {
        let page = ManualPage(name, folder: edition.folder)
        let words = ["groff", "-K", "utf8", "-Tutf8", "-P-cbou", "-rLL=80n", "-man", page.file.path]
        let lines = try await runner.run(words).output.split(separator: "\n").map(String.init)
        let shown = Dictionary(
          lines.map { ($0.trimmingCharacters(in: .whitespaces), TextWidth.columns(of: $0)) }, uniquingKeysWith: max)
        for line in try page.verbatimLines {
          let columns = shown[line]
          #expect(columns.map { $0 <= 80 } == true, "\(page.name): \(line) has \(columns ?? 0) columns")
        }
      }
    }
  }

  @Test("have a configuration in which the program knows every key, and every flag of it", arguments: editions)
  func configuration(edition: Edition) async throws {
    let lines = try ManualPage("ebb.5", folder: edition.folder).lines
    let start = try #require(lines.firstIndex { $0 == ".EX" }) + 1
    let end = try #require(lines[start...].firstIndex(of: ".EE"))
    let yaml = lines[start..<end].joined(separator: "\n").replacing("\\(ti", with: "~")
    try await Workspace.use { workspace in
      let file = workspace.path("shown.yaml")
      try yaml.write(toFile: file, atomically: true, encoding: .utf8)
      let runner = CommandRunner(workspace: workspace)
      let list = try await runner.ebb("list", "--store", workspace.path("none.sqlite"), "--config", file)
      #expect(list.status == 0 && list.complaints.count == 1 && list.error.contains("none.sqlite"), "\(list)")
      let dump = try await runner.ebb("--experimental-dump-help").decoded(CommandDump.self)
      for option in dump.command.options {
        let flag = "\\-\\-" + Roff.literal(option.name ?? "")
        #expect(lines.contains { $0.contains(flag) }, "\(edition.folder)ebb.5 lacks \(flag)")
      }
      for word in [".BI pri:", ".BI project:", ".BI context:", ".BI \\(dq", ".I $XDG_CONFIG_HOME/ebb/token"] {
        #expect(lines.contains { $0.hasPrefix(word) }, "\(edition.folder)ebb.5 lacks \(word)")
      }
    }
  }

  @Test("a text is written so that what is typed can be copied, and no line of it is a request")
  func roff() {
    let sentences = Roff.sentences("Use `ebb list --all`. It's --yes.")
    #expect(sentences == ["Use \\fBebb list \\-\\-all\\fP.", "It's \\-\\-yes."])
    #expect(Roff.sentences(".profile has 'x'.") == ["\\&.profile has \\(aqx\\(aq."])
    #expect(Roff.paragraphs("One.\n\n'a  b\n.c\\d") == [["One."], [".EX", "\\&\\(aqa  b", "\\&.c\\ed", ".EE"]])
  }
}
