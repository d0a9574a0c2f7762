import OfflineSync
import SQLiteStore
import TableClient
import TableProtocol
import TodoCore
import Words

/// Whether the server is there and takes us, and whether this list is the one that it has.
struct ServerCheck {
  let settings: DoctorSettings
  /// Nil where it can't be read, or is not there yet.
  let store: StoreInspection?
  /// UTC.
  let now: @Sendable () -> Timestamp

  /// Somebody waits in front of the screen.
  private static let limits = TimeLimits(connecting: 5, silence: 10, wholeRequest: 20)

  func run(_ report: (Finding) -> Void) {
    guard let setting = settings.server else { return report(noServer) }
    guard let address = ServerAddress(setting.value) else {
      return report(.fail(.server, CommandFailure.badServer(setting.value)))
    }
    report(.ok(.server, setting))
    let token = Result { try settings.token() }
    let found = (try? token.get()) ?? nil
    let remote = HTTPRemoteTable(
      address: address, token: found?.value, settings: ClientSettings(limits: Self.limits), now: now)
    let probe = ServerProbe(remote: remote, now: now)
    ServerChecks(address: address, origin: setting.origin, token: found).run(probe, report)
    var isOwnList = true
    // With a token that can't be read nobody knows who we are to the server.
    if case .success = token { isOwnList = AccountReview(store: store, probe: probe).run(report) }
    ClockCheck(probe: probe).run(report)
    if let store, isOwnList { AgreementCheck(store: store, probe: probe, now: now).run(report) }
  }

  private var noServer: Finding {
    settings.isUsable
      ? .warn(.server, .serverNone, ["path": settings.configuration.value]) : .warn(.server, .notLookedAt)
  }
}
