import ArgumentParser
import TodoCore
import Words

struct ConflictsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts", abstract: ErrorMessages.usage(.conflicts),
    discussion: ErrorMessages.usage(.conflictsMore))

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonArray))
  var json = false

  func run() throws {
    let list = try AppContext(settings.flags, offline: true).list
    let conflicts = try list.conflicts()
    let report = ConflictReport(
      try conflicts.map { (handle: try list.handle(of: $0, among: conflicts), conflict: $0) })
    StandardOutput.bytes(json ? report.json : report.text)
  }
}
