import ArgumentParser
import Exchange
import FoundationEssentials
import Glibc
import TodoCore
import Words

/// `ebb export`: writes items to standard output, for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: ErrorMessages.usage(.export),
    discussion: CommandConfiguration.discussion(.export, .exportMore))

  @OptionGroup var settings: SettingsOptions

  @Option(help: .usage(.exportFormat))
  var format = WrittenFormat(.todotxt)

  @Flag(help: .usage(.exportAll))
  var all = false

  @Flag(help: .usage(.exportDone))
  var done = false

  @Flag(name: .customLong("with-ids"), help: .usage(.exportWithIDs))
  var withIDs = false

  @Option(help: .usage(.listSort))
  var sort = TodoOrder.created

  @Argument(help: .usage(.listFilter))
  var filter: [String] = []

  func validate() throws {
    if all && done { throw ValidationError(ErrorMessages.usage(.wrongAllAndDone)) }
  }

  func run() throws {
    let settings = try Settings(settings.flags, environment: .ofProcess, offline: true)
    let output = ExportOutput()
    guard settings.hasStore else { return try exportNothing(settings, output) }
    let list = try AppContext(settings, offline: true).list
    let handles = withIDs && format.format == .todotxt ? try list.handles() : nil
    var file = ExportFile(format.format)
    var start: [UInt8]? = file.start
    try list.forEachPortable(of: query, size: 500) { items in
      // A filter that is not understood is found by now, and nothing is written then.
      if let bytes = start.take() { output.write(bytes) }
      output.write(file.next(items) { item in item.id.flatMap { handles?.handle(of: $0) } })
    }
    output.write((start ?? []) + file.end)
    try noteDone(list)
  }

  private var query: TodoQuery {
    TodoQuery(view: all ? .all : done ? .done : .open, filter: filter.joined(separator: " "), order: sort)
  }

  /// Looking at a list does not make one.
  private func exportNothing(_ settings: Settings, _ output: ExportOutput) throws {
    if let problem = TodoFilter.problem(in: query.filter, today: CalendarDay(Date())) { throw problem }
    let words = ErrorMessages.catalogue
    if settings.isStoreNamed { StandardOutput.error(words.text(.commandNoStore, ["path": settings.store])) }
    let file = ExportFile(format.format)
    output.write(file.start + file.end)
  }

  /// Who exports a list to keep it should know that a part of it is not in there. Only a person is told.
  private func noteDone(_ list: TodoList) throws {
    guard query.view == .open, isatty(STDERR_FILENO) == 1 else { return }
    let count = try list.count(TodoQuery(view: .done, filter: query.filter))
    if count > 0 { StandardOutput.error(ErrorMessages.catalogue.text(.exportWithoutDone, count: count)) }
  }
}

/// A format that `ebb export` writes.
struct WrittenFormat: ExpressibleByArgument {
  let format: ExchangeFormat

  init(_ format: ExchangeFormat) { self.format = format }

  init?(argument: String) {
    guard let format = ExchangeFormat(argument: argument), ExchangeFormat.written.contains(format) else { return nil }
    self.format = format
  }

  var defaultValueDescription: String { format.rawValue }
  static var allValueStrings: [String] { ExchangeFormat.written.map(\.rawValue) }
}

/// Standard output. A terminal gets no character that it would obey.
private struct ExportOutput {
  private let isTerminal = isatty(STDOUT_FILENO) == 1

  func write(_ bytes: [UInt8]) {
    guard isTerminal else { return StandardOutput.bytes(bytes) }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let text = lines.map { String(decoding: $0, as: UTF8.self).printable }.joined(separator: "\n")
    StandardOutput.bytes(Array(text.utf8))
  }
}
