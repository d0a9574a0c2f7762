import ArgumentParser
import Words

/// The program. Without a command it opens the list.
struct Ebb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ebb",
    abstract: ErrorMessages.usage(.ebb),
    discussion: CommandConfiguration.discussion(.ebb, .ebbMore),
    version: Document.programVersion,
    subcommands: [
      AddCommand.self, ListItemsCommand.self, ShowCommand.self, DoneCommand.self, UndoneCommand.self, EditCommand.self,
      PriorityCommand.self, NoPriorityCommand.self, AppendCommand.self, PrependCommand.self,
      AgendaCommand.self, ProjectsCommand.self, ContextsCommand.self, RemindCommand.self,
      DeleteCommand.self, UndoCommand.self, RedoCommand.self, SyncCommand.self, ConflictsCommand.self,
      ResolveCommand.self, StatusCommand.self, PurgeCommand.self, JoinCommand.self,
      ImportCommand.self, ExportCommand.self,
      ServeCommand.self, TokenCommand.self, DoctorCommand.self, ConfigCommand.self, HelpCommand.self,
      CompletionsCommand.self,
    ])

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var display: DisplayOptions

  /// The words of a command line as the argument library reads them: many programs print their version for `-V`.
  static func words(_ arguments: ArraySlice<String>) -> [String] {
    arguments.elementsEqual(["-V"]) ? ["--version"] : Array(arguments)
  }

  func run() throws {
    try OpenList(flags: display.added(to: settings.flags)).run()
  }
}
