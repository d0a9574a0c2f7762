import ArgumentParser
import FoundationEssentials
import TableProtocol
import TodoCore
import Words

struct ListCommand: PlainlyRead {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: ErrorMessages.usage(.list), discussion: ErrorMessages.usage(.listMore))

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.listAll))
  var all = false

  @Flag(help: .usage(.listDone))
  var done = false

  @Flag(help: .usage(.jsonArray))
  var json = false

  @Option(help: .usage(.listSort))
  var sort = TodoOrder.created

  @Argument(help: .usage(.listFilter))
  var filter: [String] = []

  func validate() throws {
    if all && done { throw ValidationError(ErrorMessages.usage(.wrongAllAndDone)) }
  }

  var plain: PlainCommand {
    let query = TodoQuery(
      view: all ? .all : done ? .done : .open, filter: filter.joined(separator: " "), order: sort)
    return PlainCommand(.list(query, asJSON: json), settings.flags)
  }
}

extension TodoList {
  func print(_ query: TodoQuery, asJSON: Bool, hasServer: Bool) throws {
    // In runs, so that a long list needs no more memory than a short one.
    if asJSON {
      var objects = ItemObjects(handles: try handles())
      try forEachRun(of: query, size: 500) { StandardOutput.bytes(objects.next($0)) }
      StandardOutput.bytes(objects.end)
    } else {
      let handles = try handles()
      var lines = ItemLines(hasServer: hasServer)
      try forEachLine(of: query) { line in
        lines.append(line, handles)
        if lines.bytes.count > 1 << 16 { StandardOutput.bytes(lines.take()) }
      }
      StandardOutput.bytes(lines.take())
    }
  }
}

extension TodoOrder: ExpressibleByArgument {}

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
