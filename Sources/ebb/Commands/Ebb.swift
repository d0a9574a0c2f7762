import ArgumentParser
import Words

/// The program. Without a command it opens the list.
struct Ebb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ebb",
    abstract: ErrorMessages.usage(.ebb),
    discussion: ErrorMessages.usage(.ebbMore),
    version: Document.programVersion,
    subcommands: [
      AddCommand.self, ListCommand.self, DoneCommand.self, UndoneCommand.self, EditCommand.self,
      DeleteCommand.self, UndoCommand.self, RedoCommand.self, SyncCommand.self, ConflictsCommand.self,
      ResolveCommand.self, StatusCommand.self, PurgeCommand.self, JoinCommand.self,
      ServeCommand.self, TokenCommand.self, DoctorCommand.self, HelpCommand.self, CompletionsCommand.self,
    ])

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var display: DisplayOptions

  func run() throws {
    try OpenList(flags: display.added(to: settings.flags)).run()
  }
}
