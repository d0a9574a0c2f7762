import ArgumentParser
import TodoCore

struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an item and print its handle.",
    discussion: "(A) at the beginning is its priority, +word a project, @word a context; due:fri becomes a date.")

  @OptionGroup var settings: SettingsOptions

  @Argument(help: "What is to be done; quotes are not needed.")
  var text: [String]

  func run() throws {
    let list = try Workplace(settings.flags, offline: true).list
    do {
      let item = try list.add(text.joined(separator: " "))
      StandardOutput.line(try list.handle(of: item.id))
    } catch TodoError.emptyText {
      throw CommandFailure.nothingToAdd
    }
  }
}
