import Glibc
import SQLiteStore
import Terminal
import TodoUI

/// `ebb` without a command: the list in the terminal.
struct OpenList {
  let flags: SettingFlags

  func run() throws {
    if let problem = TerminalCheck.problem() { throw CommandFailure.terminal(problem) }
    let workplace = try Workplace(flags)
    let program = try Program(
      list: workplace.list, preferences: Preferences(catalogue: Explanation.catalogue),
      describe: { Explanation.anySentence(for: $0) })
    let inbox = program.inbox
    let watcher = StoreWatcher(storePath: workplace.settings.store) { inbox.post(.storeChanged) }
    let end = try withExtendedLifetime(watcher) { try program.run() }
    if case .signal(let number) = end { exit(128 + number) }
  }
}
