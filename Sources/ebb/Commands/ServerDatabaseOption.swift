import ArgumentParser
import FoundationEssentials
import Words

/// `--database FILE` of `ebb serve` and of the commands below it.
struct ServerDatabaseOption: ParsableArguments {
  @Option(help: .usage(.serveDatabase, valueName: "file"))
  var database: String?

  func validate() throws {
    guard database?.isEmpty != true else { throw ValidationError(ErrorMessages.usage(.wrongDatabase)) }
  }

  /// Absolute.
  var path: String {
    let paths = DefaultPaths(ProcessInfo.processInfo.environment)
    return database.map(paths.absolute) ?? paths.data("server.sqlite")
  }
}
