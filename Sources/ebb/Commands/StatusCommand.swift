import ArgumentParser
import FoundationEssentials
import TableProtocol
import TodoCore

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print what waits to be sent, and when the last sync was.")

  @OptionGroup var settings: SettingsOptions

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() throws {
    let status = try Workplace(settings.flags).list.status()
    StandardOutput.bytes(json ? StatusReport(status).json : StatusReport(status).text)
  }
}
