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
    let list = try Workplace(settings.flags, offline: true).list
    let query = TodoQuery(view: all ? .all : done ? .done : .open, filter: filter.joined(separator: " "))
    var lines = ItemLines(handles: try list.handles(), asJSON: json)
    // In runs, so that a long list needs no more memory than a short one.
    try list.forEachRun(of: query, size: 500) { StandardOutput.bytes(lines.next($0)) }
    StandardOutput.bytes(lines.end)
  }
}
