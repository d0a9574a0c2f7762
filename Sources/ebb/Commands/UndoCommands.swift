import ArgumentParser
import TodoCore
import Words

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: ErrorMessages.usage(.undo),
    discussion: ErrorMessages.usage(.undoMore))

  @OptionGroup var settings: SettingsOptions

  func run() throws {
    try Reversals.report(try AppContext(settings.flags, offline: true).list.undo(), .undo)
  }
}

struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: ErrorMessages.usage(.redo))

  @OptionGroup var settings: SettingsOptions

  func run() throws {
    try Reversals.report(try AppContext(settings.flags, offline: true).list.redo(), .redo)
  }
}

private enum Reversals {
  static func report(_ reversal: UndoResult?, _ direction: UndoResult.Direction) throws {
    guard let reversal else { throw CommandFailure.nothingToReverse(direction) }
    guard reversal.obstacle == nil else { throw CommandFailure.notReversed(reversal) }
    StandardOutput.line(ErrorMessages.catalogue.sentence(for: reversal).printable)
  }
}
