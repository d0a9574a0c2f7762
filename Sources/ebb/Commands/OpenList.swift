import FoundationEssentials
import Glibc
import SQLiteStore
import Terminal
import TodoCore
import TodoUI
import Words

/// `ebb` without a command: the list in the terminal.
struct OpenList {
  let flags: SettingFlags

  func run() throws {
    if let problem = flags.plain ? TerminalCheck.plainProblem() : TerminalCheck.problem() {
      throw CommandFailure.terminal(problem)
    }
    var warnings: [SettingWarning] = []
    let app = try AppContext(flags, needsToken: false) { warnings = $0 }
    let token = app.token
    let program = try Program(
      list: app.list, preferences: try preferences(app.settings.file, warnings, hasServer: app.settings.server != nil),
      describe: { ErrorMessages.anySentence(for: $0) },
      signInProblem: { token.problem.map { ErrorMessages.sentence(for: [$0]) } })
    let inbox = program.inbox
    var watcher: StoreWatcher?
    let end = try program.run { watcher = StoreWatcher(app.store) { inbox.storeChanged($0) } }
    withExtendedLifetime(watcher) {}
    app.store.tidyUp()
    if case .signal(let number) = end { exit(128 + number) }
  }

  /// Mistakes in the configuration are shown in the list: nobody sees what is written before it opens.
  private func preferences(
    _ file: ConfigurationFile?, _ warnings: [SettingWarning], hasServer: Bool
  ) throws -> Preferences {
    let wanted = ListPreferences(flags, file, environment: .ofProcess)
    var bad: [SettingWarning] = []
    var preferences = try wanted.preferences(ErrorMessages.catalogue) { bad.append(.badValue($0)) }
    let warnings =
      warnings + bad + SettingWarning.sharedKeys(preferences, file)
      + SettingWarning.badFilters(in: file, today: CalendarDay(Date()))
    preferences.hasServer = hasServer
    if !warnings.isEmpty { preferences.warnings = ErrorMessages.lines(for: warnings, path: file?.path ?? "") }
    return preferences
  }
}
