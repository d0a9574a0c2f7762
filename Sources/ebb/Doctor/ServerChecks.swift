import OfflineSync
import TableClient
import TableProtocol
import TodoCore
import Words

/// Checks each step of the way to the server, up to the first that fails.
struct ServerChecks {
  let address: ServerAddress
  let origin: SettingOrigin
  let token: DoctorSettings.Found?

  func run(_ probe: ServerProbe, _ report: (Finding) -> Void) {
    findings(probe).forEach(report)
  }

  private func findings(_ probe: ServerProbe) -> [Finding] {
    let came = connected + [.ok(.answer, .answerCame, ["milliseconds": String(probe.milliseconds)])]
    switch probe.failure {
    case nil: return came + [tableServer(probe), signedIn]
    case .unreachable(let words, let kind): return broken(words, kind)
    case .busy(let status, let seconds): return connected + [busy(status, seconds)]
    case .signInNeeded: return came + [signInNeeded]
    case .notAllowed:
      return came + [
        .fail(.signIn, words: ErrorMessages.catalogue.reason(.notAllowed), status: ExitStatus.notAllowed)
      ]
    case .serverError(let status, let message) where status >= 500:
      return connected + [fail(.answer, .answerFailed, reason: "\(status) \(message)", status: ExitStatus.failed)]
    case .serverError(let status, let message): return came + [noTableServer("\(status) \(message)")]
    case .badAnswer(let words), .notTheServer(let words): return came + [noTableServer(words)]
    case .alteredAnswer(let alteration):
      let words = ErrorMessages.catalogue.reason(.alteredAnswer(alteration))
      return connected + [.fail(.answer, words: words, status: ExitStatus.failed)]
    case .noServer, .otherDatabase, .otherEpoch: return came
    }
  }

  private var connected: [Finding] { [named, .ok(.connection, .connectionMade), encryption] }
  private var named: Finding { .ok(.name, words: address.host) }

  private var encryption: Finding {
    if address.isSecure { return .ok(.encryption, .encryptionOn) }
    let isLocal = ["localhost", "::1"].contains(address.host) || address.host.hasPrefix("127.")
    return isLocal
      ? .ok(.encryption, .encryptionLocal) : .warn(.encryption, .encryptionOff, ["server": address.text])
  }

  private func broken(_ words: String, _ kind: RemoteFailure.UnreachableKind?) -> [Finding] {
    switch kind {
    case .noName: [fail(.name, .nameUnknown)]
    case .refused: [named, fail(.connection, .connectionRefused)]
    case .noRoute: [named, fail(.connection, .connectionNoRoute)]
    case .timedOut: [named, fail(.connection, .connectionSlow)]
    case .tls: [named, .ok(.connection, .connectionMade), fail(.encryption, .encryptionFailed)]
    case .cut: [named, .ok(.connection, .connectionMade), fail(.answer, .answerCut)]
    case nil: [named, fail(.connection, .connectionFailed, reason: words)]
    }
  }

  private func fail(
    _ check: DoctorCheck, _ key: DoctorKey, reason: String = "", status: Int32 = ExitStatus.notReachable
  ) -> Finding {
    .fail(
      check, key, ["server": address.text, "host": address.host, "origin": origin.words, "reason": reason],
      status: status)
  }

  private func busy(_ status: Int, _ seconds: Int?) -> Finding {
    let reason = ErrorMessages.catalogue.reason(.busy(status: status, retryAfter: seconds))
    return fail(.answer, .answerBusy, reason: reason)
  }

  private func tableServer(_ probe: ServerProbe) -> Finding {
    let version = probe.remote.protocolVersion?.rawValue ?? ""
    return .ok(.tableServer, probe.database == nil ? .tableServerOther : .tableServerOwn, ["version": version])
  }

  private func noTableServer(_ reason: String) -> Finding {
    fail(.tableServer, .tableServerNone, reason: reason, status: ExitStatus.failed)
  }

  private var signedIn: Finding { .ok(.signIn, token == nil ? .signInNotNeeded : .signInAccepted) }

  private var signInNeeded: Finding {
    guard let found = token else {
      return .fail(
        .signIn, words: ErrorMessages.catalogue.reason(.signInNeeded), status: ExitStatus.notAllowed)
    }
    return .fail(.signIn, .signInRefused, ["origin": found.origin.words], status: ExitStatus.notAllowed)
  }
}
