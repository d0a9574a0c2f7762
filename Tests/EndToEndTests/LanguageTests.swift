import Foundation
import Testing

@Suite("The language of the surroundings")
struct LanguageTests {
  @Test(
    "is that of the list, whether or not the machine has the locale",
    arguments: [
      ("es_ES.UTF-8", "Pendientes", "hecha «買牛奶»"), ("ja_JP.UTF-8", "未完了", "「買牛奶」を完了しました"),
      ("zh_TW.UTF-8", "未完成", "已完成「買牛奶」"), ("fr_FR.UTF-8", "Open", "completed “買牛奶”"),
    ])
  func list(locale: String, title: String, answer: String) async throws {
    try await Workspace.use { workspace in
      let list = try await TerminalSession.open(
        workspace, try Device(workspace).words([]), environment: ["LC_ALL": locale, "TERM": "screen-256color"])
      try await list.wait("the title") { $0.lines.first?.contains(title) == true }
      try await list.add("買牛奶")
      try await list.press("Space")
      try await list.wait("the answer") { $0.status.contains(answer) }
      try await list.press("q")
      #expect(try await list.exitStatus() == 0)
    }
  }

  @Test("is that of what commands say and of their help, and never that of their JSON")
  func commands() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      let runner = CommandRunner(workspace: workspace)
      let spanish = ["LC_ALL": "es_ES.UTF-8"]
      _ = try await device.add("milk")
      let unknown = try await runner.run(try device.words(["done", "zz"]), environment: spanish)
      #expect(unknown.error == "ebb: Ninguna tarea tiene un código que empiece por zz. ebb list --all los muestra.\n")
      #expect(unknown.status == 1)
      let help = try await runner.ebb("help", "list", environment: spanish)
      #expect(help.output.contains("Muestra las tareas pendientes.") && help.output.contains("'leche"), "\(help)")
      let wrong = try await runner.ebb(
        "list", "--all", "--done", environment: ["LANG": "ja_JP.UTF-8", "LANGUAGE": "zh_TW"])
      #expect(wrong.error.contains("--all 和 --done 只能擇一。"), "\(wrong)")
      let status = try await runner.run(try device.words(["status", "--json"]), environment: spanish)
      #expect(status.output.hasPrefix("{\"pending\":1,"), "\(status)")
    }
  }
}
