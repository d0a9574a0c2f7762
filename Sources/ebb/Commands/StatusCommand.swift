import ArgumentParser
import FoundationEssentials
import TableProtocol
import TodoCore
import Words

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: ErrorMessages.usage(.status))

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonObject))
  var json = false

  func run() throws {
    let status = try AppContext(settings.flags).list.status()
    StandardOutput.bytes(json ? StatusReport(status).json : StatusReport(status).text)
  }
}
