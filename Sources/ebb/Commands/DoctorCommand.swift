import ArgumentParser
import FoundationEssentials
import OfflineSync
import Words

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: ErrorMessages.usage(.doctor), discussion: ErrorMessages.usage(.doctorMore))

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonArray))
  var json = false

  func run() throws {
    let settings = DoctorSettings(settings.flags, environment: ProcessInfo.processInfo.environment)
    var findings: [Finding] = []
    Doctor(settings: settings, now: Environment.system.now).examine { finding in
      findings.append(finding)
      // A server that does not answer takes its time: what is known is told.
      if !json { StandardOutput.line(finding.line) }
    }
    if json { StandardOutput.bytes(Finding.json(findings)) }
    if let failure = findings.first(where: { $0.state == .fail }) { throw ExitCode(failure.status) }
  }
}
