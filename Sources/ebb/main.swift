import ArgumentParser
import Glibc

// Libraries ask for threads of a higher priority, which most users are refused. libdispatch would write that to the
// system's log at each sync. It looks at this variable before its first line.
setenv("LIBDISPATCH_LOG", "NO", 0)

// At a limit for the size of files the write fails instead, as on a full disk: the terminal is put in order, and what
// was typed is kept.
signal(SIGXFSZ, SIG_IGN)

// The main thread stays the real one: the list waits on it for the keyboard. Nothing here is async.
do {
  StandardOutput.restrictAsNeeded(CommandLine.arguments)
  if let sentence = WrongUsage.sentence(forBytesOf: CommandLine.self) { WrongUsage.end(with: sentence) }
  if let flags = SettingFlags(onlyFlagsIn: CommandLine.arguments.dropFirst()) {
    try OpenList(flags: flags).run()
  } else if let command = PlainCommand(CommandLine.arguments.dropFirst()) {
    try command.run()
  } else if let completion = Completion(CommandLine.arguments.dropFirst()) {
    completion.run()
  } else if let sentence = WrongUsage.sentence(beforeReading: Array(CommandLine.arguments.dropFirst())) {
    WrongUsage.end(with: sentence)
  } else {
    var command = try Ebb.parseAsRoot(Ebb.words(CommandLine.arguments.dropFirst()))
    try command.run()
  }
} catch {
  if let sentence = ErrorMessages.sentence(for: error) {
    StandardOutput.error(sentence)
    exit(ExitStatus.of(error))
  }
  if let sentence = WrongUsage.sentence(for: error, Array(CommandLine.arguments.dropFirst())) {
    WrongUsage.end(with: sentence)
  }
  if Ebb.exitCode(for: error) == .success {
    let catalogue = ErrorMessages.catalogue
    let help = Ebb.fullMessage(for: error, columns: HelpText.libraryColumns(catalogue))
    // Lines of help have their width already; a script for a shell must keep its lines.
    StandardOutput.whole(HelpText.translated(help, catalogue, columns: Pager.columns))
    exit(0)
  }
  Ebb.exit(withError: error)
}
