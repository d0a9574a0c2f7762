import FoundationEssentials
import Glibc
import TableClient
import TodoCore
import Words

/// Whether the configuration file says what it was meant to say, and whether the token can be read.
struct ConfigurationCheck {
  let settings: DoctorSettings

  private var path: String { settings.configuration.value }

  func run(_ report: (Finding) -> Void) {
    if case .failure(let error) = settings.layers {
      report(.fail(.configuration, error))
    } else if access(path, F_OK) != 0 {
      report(.ok(.configuration, .configurationNone, ["path": path]))
    } else if access(path, R_OK) != 0 {
      report(.fail(.configuration, .configurationUnreadable, ["path": path], status: ExitStatus.notAllowed))
    } else {
      report(.ok(.configuration, settings.configuration))
      keys(report)
    }
    token(report)
  }

  private func keys(_ report: (Finding) -> Void) {
    guard let file = (try? settings.layers.get())?.file else { return report(.ok(.settings, .nothing)) }
    do {
      var bad: [SettingWarning] = []
      let preferences = try ListPreferences(settings.flags, file, environment: settings.environment)
        .preferences(ErrorMessages.catalogue) { bad.append(.badValue($0)) }
      let warnings =
        bad + SettingWarning.unknownKeys(in: file) + SettingWarning.sharedKeys(preferences, file)
        + SettingWarning.badFilters(in: file, today: CalendarDay(Date()))
      _ = try file.columnNames()
      _ = try file.absolutePath(of: "store", DefaultPaths(settings.environment))
      let names = file.keys.joined(separator: ErrorMessages.catalogue.text(.listSeparator))
      report(
        warnings.isEmpty
          ? .ok(.settings, words: names) : .warn(.settings, words: ErrorMessages.sentence(for: warnings)))
    } catch {
      report(.fail(.settings, error))
    }
  }

  private func token(_ report: (Finding) -> Void) {
    if let server = settings.otherServerOfToken {
      return report(.warn(.token, .tokenOfOther, ["server": server.text]))
    }
    do {
      guard let found = try settings.credentials.get() else { return report(.ok(.token, .nothing)) }
      if let file = found.file, FileMode(file)?.isClosedToOthers == false {
        report(.warn(.token, .privacyFile, ["path": file]))
      } else {
        report(.ok(.token, words: found.origin.words))
      }
    } catch {
      report(.fail(.token, error))
    }
  }
}
