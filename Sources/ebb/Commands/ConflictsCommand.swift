import ArgumentParser
import TodoCore

struct ConflictsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conflicts", abstract: "Print the changes the server did not take, and how they differ.",
    discussion: "Words that are only in the older text stand in [-brackets-], words that were put in, in {+these+}.")

  @OptionGroup var settings: SettingsOptions

  @Flag(help: "Print an array of JSON objects.")
  var json = false

  func run() throws {
    let list = try Workplace(settings.flags, offline: true).list
    let conflicts = try list.conflicts()
    let report = ConflictReport(
      try conflicts.map { (handle: try list.handle(of: $0, among: conflicts), conflict: $0) })
    StandardOutput.bytes(json ? report.json : report.text)
  }
}
