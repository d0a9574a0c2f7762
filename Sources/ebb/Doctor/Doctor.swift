import ArgumentParser
import FoundationEssentials
import OfflineSync
import TableProtocol
import Words

/// Looks at everything a list depends on, one thing after the other, and changes nothing here or on the server.
struct Doctor {
  let settings: DoctorSettings
  /// UTC.
  let now: @Sendable () -> Timestamp

  /// Goes on after a failure, as far as what comes later can still be told.
  func examine(_ report: (Finding) -> Void) {
    let store = StoreCheck(settings: settings).run(report)
    ConfigurationCheck(settings: settings).run(report)
    EnvironmentCheck(environment: settings.environment).run(report)
    TerminalReview(environment: settings.environment).run(report)
    ServerCheck(settings: settings, store: store, now: now).run(report)
  }
}

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .doctor, "doctor", examples: .doctor, more: .doctorMore)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonArray))
  var json = false

  @Flag(help: .usage(.doctorQuiet))
  var quiet = false

  func validate() throws {
    if json && quiet { throw ValidationError(ErrorMessages.usage(.wrongJSONAndQuiet)) }
  }

  func run() throws {
    let settings = DoctorSettings(settings.flags, environment: .ofProcess)
    var findings: [Finding] = []
    Doctor(settings: settings, now: Environment.system.now).examine { finding in
      findings.append(finding)
      // A server that does not answer takes its time: what is known is told.
      if !json && !quiet { StandardOutput.line(finding.line, hanging: Finding.wordsColumn) }
    }
    if json {
      StandardOutput.bytes(Finding.json(findings))
    } else if !quiet {
      StandardOutput.line("\n" + Finding.summary(of: findings))
    }
    if let failure = findings.first(where: { $0.state == .fail }) { throw ExitCode(failure.status) }
  }
}
