import ArgumentParser
import TodoCore
import TodoUI

struct PurgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge", abstract: "Remove the items here, and nowhere else.",
    discussion: """
      The next sync brings them again, from whatever server is set then. Refused while changes wait that no server \
      has. Waits for its turn while another ebb syncs this list.
      """)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: "Drop the changes that wait, too.")
  var force = false

  func run() throws {
    let list = try Workplace(settings.flags, offline: true).list
    let (items, changes) = try list.purge(forced: force)
    let catalogue = Explanation.catalogue
    let dropped = changes > 0 ? [catalogue.text(.purgeDropped, count: changes)] : []
    StandardOutput.line(([catalogue.text(.purgeRemoved, count: items)] + dropped).joined(separator: " · "))
  }
}
