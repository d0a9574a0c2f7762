import ArgumentParser
import TodoCore

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print the items that are open.",
    discussion: "Words, +projects and @contexts choose among them; all of them must be in the text.")

  @OptionGroup var settings: SettingsOptions

  @Flag(help: "Print done items too.")
  var all = false

  @Flag(help: "Print only done items.")
  var done = false

  @Flag(help: "Print an array of JSON objects.")
  var json = false

  @Argument(help: "Words the text must have.")
  var filter: [String] = []

  func validate() throws {
    if all && done { throw ValidationError("Give --all or --done, not both.") }
  }

  func run() throws {
    let list = try Workplace(settings).list
    let query = TodoQuery(view: all ? .all : done ? .done : .open, filter: filter.joined(separator: " "))
    let items = try list.items(query, .first, count: .max)
    let handles = try list.handles()
    StandardOutput.bytes(
      json ? ItemLines.json(items, handles: handles) : ItemLines.text(items, handles: handles))
  }
}
