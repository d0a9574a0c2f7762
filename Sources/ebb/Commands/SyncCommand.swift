import ArgumentParser
import Dispatch
import Glibc
import Synchronization
import TableProtocol
import TodoCore

struct SyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Send what waits, then bring what is new, and print a receipt.")

  @OptionGroup var settings: SettingsOptions

  @Flag(help: "Only send.")
  var pushOnly = false

  @Flag(help: "Only bring.")
  var pullOnly = false

  @Flag(help: "Compare everything with the server, not only what changed.")
  var full = false

  @Flag(help: "Go on though the server takes away more than half of the list.")
  var yes = false

  @Flag(help: "Print a JSON object.")
  var json = false

  func validate() throws {
    if pushOnly && full { throw ValidationError("--full compares what comes; --push-only brings nothing.") }
    if pushOnly && pullOnly { throw ValidationError("Give --push-only or --pull-only, not both.") }
  }

  func run() throws {
    let workplace = try Workplace(settings.flags)
    var wish = RefreshWish()
    wish.pushes = !pullOnly
    wish.pulls = !pushOnly
    wish.isFull = full
    wish.allowsMassRemoval = yes
    let result = Self.wait { [wish] in workplace.list.refresh(wish, $0) }
    if json {
      StandardOutput.bytes(Receipt(result).json)
    }
    if let failure = result.failure {
      throw CommandFailure.sync(failure, pending: try workplace.list.status().pending)
    }
    if !json { StandardOutput.line(Receipt(result).line) }
    if result.conflicts > 0 { throw ExitCode(ExitStatus.conflictsWait) }
    if result.refused > 0 { throw ExitCode(ExitStatus.failed) }
  }

  /// The sync runs on its own queue; a command has nothing else to do meanwhile.
  private static func wait(_ refresh: (@escaping @Sendable (RefreshEvent) -> Void) -> Void) -> RefreshResult {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex(RefreshResult())
    refresh { event in
      guard case .finished(let ended) = event else { return }
      result.withLock { $0 = ended }
      done.signal()
    }
    done.wait()
    return result.withLock(\.self)
  }
}
