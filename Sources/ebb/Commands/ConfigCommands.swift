import ArgumentParser
import Glibc
import TodoCore
import TodoUI
import Words

/// `ebb config`: the configuration file.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .configuration, "config", examples: .config, more: .configMore,
    subcommands: [
      ConfigInitCommand.self, ConfigPathCommand.self, ConfigShowCommand.self, ConfigCheckCommand.self,
      ConfigEditCommand.self,
    ])
}

extension SettingsOptions {
  fileprivate var place: ConfigurationPlace {
    ConfigurationPlace(flags, environment: .ofProcess, DefaultPaths(.ofProcess))
  }
}

extension ConfigurationPlace {
  fileprivate func makeTemplate() throws {
    try make(ConfigurationTemplate(ErrorMessages.catalogue, DefaultPaths(.ofProcess)).text)
    StandardOutput.report(ErrorMessages.catalogue.text(.configMade, ["path": path]))
  }

  /// Prints a line for each mistake. Throws for any.
  fileprivate func review() throws {
    let catalogue = ErrorMessages.catalogue
    if isNone { return StandardOutput.line(catalogue.text(.configIsNone)) }
    guard isThere else {
      if case .standard = origin { return StandardOutput.line(catalogue.text(.configAbsent, ["path": path])) }
      throw CommandFailure.unreadableConfiguration(path, .absent)
    }
    guard let bytes = SettingsFile.bytes(path) else { throw CommandFailure.unreadableConfiguration(path, .unreadable) }
    let mistakes = ConfigurationReview(path: path, bytes: bytes, environment: .ofProcess).mistakes
    for mistake in mistakes { StandardOutput.line(mistake.sentence) }
    guard mistakes.isEmpty else { throw ExitCode(ExitStatus.failed) }
    StandardOutput.line(catalogue.text(.configWell, ["path": path]))
  }
}

struct ConfigInitCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.configInit, "init", examples: .configInit)

  @OptionGroup var settings: SettingsOptions

  func run() throws { try settings.place.makeTemplate() }
}

struct ConfigPathCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.configPath, "path", examples: .configPath)

  @OptionGroup var settings: SettingsOptions

  func run() throws {
    let place = settings.place
    StandardOutput.whole(place.path)
    if !place.isThere { StandardOutput.error(ErrorMessages.catalogue.text(.configAbsent, ["path": place.path])) }
  }
}

struct ConfigShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .configShow, "show", examples: .configShow, more: .configShowMore)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonArray))
  var json = false

  func run() throws {
    let flags = settings.flags
    let file = try SettingLayers(flags, environment: .ofProcess, paths: DefaultPaths(.ofProcess)).file
    // A list that can't be found must not keep the other settings from being shown.
    let hasList = (try? Settings(flags, environment: .ofProcess, offline: true).hasStore) ?? false
    let list = hasList ? try? AppContext(flags, offline: true, warn: { _ in }).list : nil
    let report = ConfigurationReport(flags, environment: .ofProcess, settings.place, file) { name in
      (try? list?.remembered(name.text)) ?? nil
    }
    let layout = try OutputLayout(flags, file, hasServer: false)
    if json { StandardOutput.bytes(report.json) } else { StandardOutput.text(report.text(layout)) }
    report.problems.forEach(StandardOutput.error)
  }
}

struct ConfigCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.configCheck, "check", examples: .configCheck)

  @OptionGroup var settings: SettingsOptions

  func run() throws { try settings.place.review() }
}

struct ConfigEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(.configEdit, "edit", examples: .configEdit)

  @OptionGroup var settings: SettingsOptions

  func run() throws {
    let place = settings.place
    let editor = ExternalEditor(.ofProcess)
    guard editor.isNamed || isatty(STDIN_FILENO) == 1 else {
      throw CommandFailure.configuration(.noTerminal(place.path))
    }
    if place.isNone || !place.isThere { try place.makeTemplate() }
    let endedWell = try editor.open(file: place.path)
    if !endedWell {
      let values: KeyValuePairs = ["editor": editor.name, "path": place.path]
      StandardOutput.error(ErrorMessages.catalogue.text(.configEditorFailed, values).printable)
    }
    try place.review()
    if !endedWell { throw ExitCode(ExitStatus.failed) }
  }
}
