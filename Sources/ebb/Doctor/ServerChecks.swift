import OfflineSync
import SQLiteStore
import TableClient
import TableProtocol
import TableServer
import TodoCore
import Words

/// Checks each step of the way to the server, up to the first that fails.
struct ServerChecks {
  let address: ServerAddress
  let origin: SettingOrigin
  /// A failure for a token that can't be read.
  let credentials: Result<Credentials?, any Error>
  /// It announced its database to this list before, as only a server of ours does.
  var wasOwn = false
  /// Why the certificate of the server is not trusted; nil if that is not known.
  var certificate: CertificateFlaw?
  /// UTC.
  let now: @Sendable () -> Timestamp

  func run(_ probe: ServerProbe, _ report: (Finding) -> Void) {
    findings(probe).forEach(report)
  }

  private func findings(_ probe: ServerProbe) -> [Finding] {
    let came = connected + [.ok(.answer, .answerCame, ["milliseconds": String(probe.milliseconds)])]
    switch probe.failure {
    case nil where wasOwn && probe.database == nil:
      let words = ErrorMessages.catalogue.reason(.alteredAnswer(.headersRemoved))
      return came + [.fail(.tableServer, words: words, status: ExitStatus.failed)]
    case nil: return came + [tableServer(probe), signedIn]
    case .unreachable(let words, let kind): return broken(words, kind)
    case .busy(let status, let seconds): return connected + [busy(status, seconds)]
    case .signInNeeded where isOfTheWay(probe): return refusedOnTheWay(status: 401)
    case .notAllowed where isOfTheWay(probe): return refusedOnTheWay(status: 403)
    case .signInNeeded: return came + signInNeeded
    case .notAllowed:
      return came + [
        .fail(.signIn, words: ErrorMessages.catalogue.reason(.notAllowed), status: ExitStatus.notAllowed)
      ]
    case .serverError(let status, let message) where status >= 500:
      return connected + [fail(.answer, .answerFailed, reason: "\(status) \(message)", status: ExitStatus.failed)]
    case .serverError(let status, let message): return came + [noTableServer("\(status) \(message)")]
    case .badAnswer(let words, _), .notTheServer(let words): return came + [noTableServer(words)]
    case .refusedOnTheWay(let status, let message): return refusedOnTheWay(status: status, message)
    case .alteredAnswer(let alteration):
      let words = ErrorMessages.catalogue.reason(.alteredAnswer(alteration))
      return connected + [.fail(.answer, words: words, status: ExitStatus.failed)]
    case .noServer, .noSignIn, .otherDatabase, .otherEpoch: return came
    }
  }

  private var connected: [Finding] { [named, .ok(.connection, .connectionMade), encryption] }
  private var named: Finding { .ok(.name, words: address.host) }

  private var isHere: Bool { HostName(plain: address.host).isLoopback }

  private var encryption: Finding {
    if address.isSecure { return .ok(.encryption, .encryptionOn) }
    return isHere
      ? .ok(.encryption, .encryptionLocal) : .warn(.encryption, .encryptionOff, ["server": address.text])
  }

  /// A server of ours names its database in each answer, so this refusal is not its own (sync-rules Q20). The probe
  /// does not know that: it asks as a device that has met no server yet.
  private func isOfTheWay(_ probe: ServerProbe) -> Bool { wasOwn && !probe.namesDatabase }

  private func refusedOnTheWay(status: Int, _ message: String = "") -> [Finding] {
    let reason = RemoteFailure.Reason.refusedOnTheWay(status: status, message: message)
    return connected + [
      .fail(.answer, words: ErrorMessages.catalogue.reason(reason), status: ExitStatus.of(reason))
    ]
  }

  private func broken(_ words: String, _ kind: RemoteFailure.UnreachableKind?) -> [Finding] {
    switch kind {
    case .noName: [fail(.name, .nameUnknown)]
    case .refused: [named, fail(.connection, isHere ? .connectionRefusedHere : .connectionRefused)]
    case .noRoute: [named, fail(.connection, .connectionNoRoute)]
    // The client gives up a connection on which no handshake begins as if there were none.
    case .timedOut where certificate != nil: [named, .ok(.connection, .connectionMade), noEncryption]
    case .timedOut: [named, fail(.connection, .connectionSlow)]
    case .tls: [named, .ok(.connection, .connectionMade), noEncryption]
    case .cut: [named, .ok(.connection, .connectionMade), fail(.answer, .answerCut)]
    case .silent: connected + [fail(.answer, .answerSilent)]
    case nil: [named, fail(.connection, .connectionFailed, reason: words)]
    }
  }

  private var noEncryption: Finding {
    switch certificate {
    case .absent: fail(.encryption, .encryptionNone)
    case .silent: fail(.encryption, .encryptionSilent)
    case .cut: fail(.encryption, .encryptionCut)
    case .outOfTerm(let from, let until): outOfTerm(from, until)
    case .otherName: fail(.encryption, .encryptionOtherName)
    case .unknownAuthority: fail(.encryption, .encryptionUnknownAuthority)
    case nil: fail(.encryption, .encryptionFailed)
    }
  }

  private func outOfTerm(_ from: Timestamp, _ until: Timestamp) -> Finding {
    .fail(
      .encryption, .encryptionOutOfTerm,
      [
        "server": address.text, "from": TokenTable.minute(from), "until": TokenTable.minute(until),
        "now": TokenTable.minute(now()),
      ],
      status: ExitStatus.notReachable)
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
    // The server of the list was there once: another address is not the first thing to think of.
    wasOwn
      ? fail(.tableServer, .tableServerReplaced, reason: reason)
      : fail(.tableServer, .tableServerNone, reason: reason, status: ExitStatus.failed)
  }

  private var signedIn: Finding {
    if case .success(.some) = credentials { return .ok(.signIn, .signInAccepted) }
    return .ok(.signIn, .signInNotNeeded)
  }

  /// Nothing if a token is there that can't be read: that is the trouble of the check of the configuration.
  private var signInNeeded: [Finding] {
    guard case .success(let readable) = credentials else { return [] }
    guard let found = readable else {
      return [
        .fail(.signIn, words: ErrorMessages.catalogue.reason(.signInNeeded), status: ExitStatus.notAllowed)
      ]
    }
    return [.fail(.signIn, .signInRefused, ["origin": found.origin.words], status: ExitStatus.notAllowed)]
  }
}

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
    // No other command asks the server then.
    if case .failure(let error) = settings.authorities { return report(.fail(.encryption, error)) }
    let found = (try? settings.credentials.get()) ?? nil
    // A wrong setting is the trouble of the check of the configuration.
    let names = (try? (try? settings.layers.get())?.file?.columnNames()) ?? .none
    var probe = self.probe(names, address, found)
    // A sync stops at that. The other checks have more to say.
    if probe.failure == .alteredAnswer(.ownColumns) { probe = self.probe(.none, address, found) }
    let known = try? store?.read { try $0.fact(SyncFact.database(of: address.text)) }
    let checks = ServerChecks(
      address: address, origin: setting.origin, credentials: settings.credentials, wasOwn: known?.isEmpty == false,
      certificate: flaw(of: probe, address), now: now)
    checks.run(probe, report)
    if probe.wasAnswered {
      ColumnCheck(probe: probe, names: names, configuration: settings.configuration.value).run(report)
    }
    var isOwnList = true
    // With a token that can't be read nobody knows who we are to the server.
    if case .success = settings.credentials { isOwnList = AccountReview(store: store, probe: probe).run(report) }
    ClockCheck(probe: probe).run(report)
    if let store, isOwnList { AgreementCheck(store: store, probe: probe, now: now).run(report) }
  }

  private var caFile: String? { (try? settings.authorities.get()) ?? nil }

  private func probe(_ names: ColumnNames, _ address: ServerAddress, _ credentials: Credentials?) -> ServerProbe {
    let remote = HTTPRemoteTable(
      address: address, signIn: credentials?.signIn,
      settings: ClientSettings(limits: Self.limits, names: names, caFile: caFile), now: now)
    return ServerProbe(remote: remote, now: now)
  }

  private func flaw(of probe: ServerProbe, _ address: ServerAddress) -> CertificateFlaw? {
    guard address.isSecure, case .unreachable(_, let kind) = probe.failure, kind == .tls || kind == .timedOut else {
      return nil
    }
    return CertificateCheck(address, caFile: caFile).flaw(at: now())
  }

  private var noServer: Finding {
    guard settings.isUsable else { return .warn(.server, .notLookedAt) }
    let path = settings.configuration.value
    return path == ConfigurationPlace.none
      ? .warn(.server, .serverNoneWithoutFile) : .warn(.server, .serverNone, ["path": path])
  }
}

/// One request to the server, and what the answer says about it.
struct ServerProbe {
  let remote: HTTPRemoteTable
  let failure: RemoteFailure.Reason?
  /// The identity of its database; nil if it did not say.
  let database: String?
  /// The answer, a refusal too, named a database, as those of our servers do.
  let namesDatabase: Bool
  /// The time until the answer, or until the failure.
  let milliseconds: Int64

  /// Asks for one row at most, and waits for the answer. `now` is UTC.
  init(remote: HTTPRemoteTable, now: () -> Timestamp) {
    self.remote = remote
    let start = now()
    do throws(RemoteFailure) {
      database = try remote.identify(TodoList.table)
      failure = nil
    } catch {
      database = nil
      failure = error.reason
    }
    namesDatabase = remote.namedDatabase != nil
    milliseconds = max(0, now().milliseconds - start.milliseconds)
  }

  var wasAnswered: Bool { failure == nil }
}

/// Whether the server's items have the columns that Ebb expects, perhaps under other names.
struct ColumnCheck {
  let probe: ServerProbe
  /// Those that are set.
  let names: ColumnNames
  /// The configuration file.
  let configuration: String

  func run(_ report: (Finding) -> Void) {
    guard probe.database == nil else {
      if !names.isEmpty { report(.warn(.columns, .columnsNotNeeded, ["path": configuration])) }
      return reportUnnamed(report)
    }
    let found = columnsThere
    var pairs: [(ours: String, theirs: String)] = []
    for (ours, others) in ColumnNames.usual where !found.contains(ours) {
      if let theirs = others.first(where: found.contains) { pairs.append((ours, theirs)) }
    }
    guard pairs.isEmpty else {
      let separator = ErrorMessages.catalogue.text(.listSeparator)
      return report(
        .warn(
          .columns, .columnsOther,
          [
            "ours": pairs.map(\.ours).joined(separator: separator),
            "theirs": pairs.map(\.theirs).joined(separator: separator), "path": configuration,
            "setting": "{" + pairs.map { "\($0.ours): \($0.theirs)" }.joined(separator: ", ") + "}",
          ]))
    }
    if !names.isEmpty { report(.ok(.columns, words: "\(names.other("text")), \(names.other("complete"))")) }
  }

  /// On our own server: whether another program writes the texts of items under another name, so that they are empty
  /// here.
  private func reportUnnamed(_ report: (Finding) -> Void) {
    let rows = records(having: .compare("text", .equal, .null))
    let theirs = ColumnNames.usual[0].value.filter { name in rows.contains { $0.values[name]?.text?.isEmpty == false } }
    guard let name = theirs.first else { return }
    report(.warn(.columns, .columnsUnnamed, ["ours": "text", "theirs": name]))
  }

  /// Of some items: a server may leave out what is null. Empty if there are none, or if the server can't be asked.
  private var columnsThere: Set<String> {
    Set(records().flatMap(\.values.keys))
  }

  private func records(having filter: Filter? = nil) -> [Record] {
    let query = TableQuery(table: TodoList.table, filter: filter, limit: 50)
    return (try? probe.remote.page(query, at: nil, verifying: false))?.records ?? []
  }
}

/// Whether the server's clock and ours tell the same time.
struct ClockCheck {
  let probe: ServerProbe

  /// In milliseconds.
  private static let tolerated: Int64 = 300_000

  func run(_ report: (Finding) -> Void) {
    guard let clock = probe.remote.clock else {
      if probe.wasAnswered { report(.ok(.clock, .clockUntold)) }
      return
    }
    let apart = abs(clock.ahead)
    guard apart > Self.tolerated else {
      return report(.ok(.clock, .clockRight, ["seconds": String(apart / 1_000)]))
    }
    let minutes = ErrorMessages.catalogue.number(Int(apart / 60_000))
    report(.warn(.clock, clock.ahead > 0 ? .clockAhead : .clockBehind, ["minutes": minutes]))
  }
}
