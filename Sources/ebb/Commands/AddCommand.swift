import ArgumentParser
import TodoCore
import Words

struct AddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: ErrorMessages.usage(.add), discussion: ErrorMessages.usage(.addMore))

  @OptionGroup var settings: SettingsOptions

  @Argument(help: .usage(.addText))
  var text: [String]

  func run() throws {
    let list = try AppContext(settings.flags, offline: true).list
    do {
      let item = try list.add(text.joined(separator: " "))
      StandardOutput.line(try list.handle(of: item.id))
    } catch TodoError.emptyText {
      throw CommandFailure.nothingToAdd
    }
  }
}
