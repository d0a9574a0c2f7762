import ArgumentParser

/// The program. Without a command it opens the list.
struct Ebb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ebb",
    abstract: "A to-do list for the terminal that works offline and syncs when you pull.",
    discussion: """
      Without a command the list opens. Press ? there for the keys.

      Every change is kept on this machine at once; r in the list, or `ebb sync`, exchanges changes with \
      the server. A HANDLE is the beginning of an item's id, as `ebb list` prints it.

      Exit codes: 0 done, 1 the request failed, 2 done but conflicts wait, 64 wrong usage, \
      69 server not reachable, 77 not allowed, 130 stopped with Ctrl-C.
      """,
    version: "0.1.0",
    subcommands: [
      AddCommand.self, ListCommand.self, DoneCommand.self, UndoneCommand.self, EditCommand.self,
      DeleteCommand.self, UndoCommand.self, RedoCommand.self, SyncCommand.self, ConflictsCommand.self,
      ResolveCommand.self, StatusCommand.self, PurgeCommand.self, ServeCommand.self,
    ])

  @OptionGroup var settings: SettingsOptions

  func run() throws {
    try OpenList(flags: settings.flags).run()
  }
}
