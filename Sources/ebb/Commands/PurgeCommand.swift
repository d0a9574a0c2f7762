import ArgumentParser
import TodoCore
import Words

struct PurgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge", abstract: ErrorMessages.usage(.purge),
    discussion: ErrorMessages.usage(.purgeMore))

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.purgeForce))
  var force = false

  func run() throws {
    let list = try AppContext(settings.flags, offline: true).list
    let (items, changes) = try list.purge(forced: force)
    let catalogue = ErrorMessages.catalogue
    let dropped = changes > 0 ? [catalogue.text(.purgeDropped, count: changes)] : []
    StandardOutput.line(([catalogue.text(.purgeRemoved, count: items)] + dropped).joined(separator: " · "))
  }
}
