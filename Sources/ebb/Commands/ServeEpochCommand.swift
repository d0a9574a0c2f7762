import ArgumentParser
import OfflineSync
import TableProtocol
import TableServer
import Words

/// `ebb serve epoch`: says that the server's database was replaced by an older copy (row-states W4).
struct ServeEpochCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "epoch",
    abstract: ErrorMessages.usage(.serveEpoch),
    discussion: ErrorMessages.usage(.serveEpochMore))

  @OptionGroup var database: ServerDatabaseOption

  func run() throws {
    do throws(ServerError) {
      let epoch = try TableServer.raiseEpoch(ofDatabase: database.path, clock: Environment.system.now)
      StandardOutput.line(ErrorMessages.catalogue.text(.serveEpochRaised, ["number": String(epoch.number)]))
    } catch {
      throw CommandFailure.server(error, host: "")
    }
  }
}
