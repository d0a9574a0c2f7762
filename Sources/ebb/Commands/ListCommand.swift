import ArgumentParser
import TodoCore

struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print the items that are open.",
    discussion: """
      Words choose among them, and all of them must hold:

      milk            stands in the text, or its letters do, in order within a word
      'milk           stands in the text just so
      +shop  @town    a project, a context that begins so; '+shop is the whole word
      due:            has a date; due:today, due:fri, due:2026-12-24 is that day;
                      due:overdue, due:week, due:none; due:<fri, due:>fri before, after
      (A)             has this priority
      !milk  !due:    the opposite of any of them

      Quote them for the shell where it would read them itself: '(A)', "'milk", 'due:<fri', '!milk'.
      """)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: "Print done items too.")
  var all = false

  @Flag(help: "Print only done items.")
  var done = false

  @Flag(help: "Print an array of JSON objects.")
  var json = false

  @Option(help: "The order: created, text, due, priority or updated.")
  var sort = TodoOrder.created

  @Argument(help: "What must hold: words, +project, @context, due:DATE, (A).")
  var filter: [String] = []

  func validate() throws {
    if all && done { throw ValidationError("Give --all or --done, not both.") }
  }

  func run() throws {
    let list = try Workplace(settings.flags, offline: true).list
    let query = TodoQuery(
      view: all ? .all : done ? .done : .open, filter: filter.joined(separator: " "), order: sort)
    var lines = ItemLines(handles: try list.handles(), asJSON: json)
    // In runs, so that a long list needs no more memory than a short one.
    try list.forEachRun(of: query, size: 500) { StandardOutput.bytes(lines.next($0)) }
    StandardOutput.bytes(lines.end)
  }
}

extension TodoOrder: ExpressibleByArgument {}
