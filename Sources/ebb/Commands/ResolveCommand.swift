import ArgumentParser
import TableProtocol
import TodoCore
import Words

struct ResolveCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .resolve, "resolve", examples: .resolve, more: .resolveMore)

  enum Keep: String, ExpressibleByArgument, CaseIterable {
    case mine, theirs, both, merged

    /// The list says `here` and `there`.
    init?(argument: String) {
      switch argument {
      case "here": self = .mine
      case "there": self = .theirs
      default: self.init(rawValue: argument)
      }
    }
  }

  @OptionGroup var settings: SettingsOptions
  @Argument(help: .usage(.resolveHandles))
  var handles: [String]
  @Option(help: .usage(.resolveKeep))
  var keep: Keep

  private typealias Named = (handle: String, conflict: TodoConflict)

  /// Decides about all of them or none, as one step of undo.
  func run() throws {
    let settings = try Settings(settings.flags, environment: .ofProcess, offline: true)
    guard let list = try PlainCommand.existing(settings)?.list else {
      throw CommandFailure.unknownHandle(handles.first ?? "")
    }
    var decisions: [TodoConflict: TodoDecision] = [:]
    let named = try handles.flatMap { word in
      try NamedItems.all(named: word) { try Self.conflict($0, in: list) }
    }
    for (handle, conflict) in named {
      guard let decision = keep.decision(about: conflict) else { throw CommandFailure.nothingMerged(handle) }
      if decision == .both, conflict.isRefused { throw CommandFailure.bothRefused(handle) }
      decisions[conflict] = decision
    }
    let copies = try list.resolve(decisions)
    var seen: Set<RecordID> = []
    let decided = named.filter { seen.insert($0.conflict.id).inserted }.map { (handle: $0.handle, id: $0.conflict.id) }
    let added = try copies.map { (handle: try list.handle(of: $0), id: $0) }
    try report(decided + added, of: list, try OutputLayout(settings, hasServer: true))
  }

  private static func conflict(_ handle: String, in list: TodoList) throws -> Named {
    do {
      return (handle, try list.conflict(handle: handle))
    } catch TodoError.notFound {
      throw CommandFailure.unknownHandle(handle)
    } catch TodoError.ambiguousHandle(let candidates) {
      throw CommandFailure.ambiguousHandle(handle, candidates)
    } catch TodoError.nothingToDecide {
      throw CommandFailure.nothingToDecide(handle)
    }
  }

  /// Prints the items as they are now. One that is gone has the handle that was typed.
  private func report(_ items: [(handle: String, id: RecordID)], of list: TodoList, _ layout: OutputLayout) throws {
    for (handle, id) in items {
      if let item = try list.item(id) {
        StandardOutput.report(layout.line(item, handle: try list.handle(of: id)))
      } else {
        StandardOutput.report(
          "\(id.text.prefix(handle.count)) \(ErrorMessages.catalogue.text(.conflictDeleted))")
      }
    }
  }
}

extension ResolveCommand.Keep {
  /// Nil if there is no text in which the two are one.
  fileprivate func decision(about conflict: TodoConflict) -> TodoDecision? {
    switch self {
    case .mine: .mine
    case .theirs: .theirs
    case .both: .both
    case .merged: conflict.merged.map(TodoDecision.text)
    }
  }
}

struct ConflictsCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .conflicts, "conflicts", examples: .conflicts, more: .conflictsMore)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonArray))
  var json = false

  func run() throws {
    let settings = try Settings(settings.flags, environment: .ofProcess, offline: true)
    let report = ConflictReport(try entries(settings))
    let layout = try OutputLayout(settings, hasServer: true)
    if json { StandardOutput.bytes(report.json) } else { StandardOutput.text(report.text(layout.paint)) }
  }

  /// No conflict waits in a list that is not there yet.
  private func entries(_ settings: Settings) throws -> [(handle: String, conflict: TodoConflict)] {
    guard let list = try PlainCommand.existing(settings)?.list else { return [] }
    let conflicts = try list.conflicts()
    return try conflicts.map { (handle: try list.handle(of: $0, among: conflicts), conflict: $0) }
  }
}
