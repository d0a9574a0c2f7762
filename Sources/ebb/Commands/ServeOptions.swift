import ArgumentParser
import FoundationEssentials
import Glibc
import Logging
import OfflineSync
import TableProtocol
import TableServer
import Words

/// Where a server listens, and under which names.
struct ListeningOptions: ParsableArguments {
  /// Nil if it is not given: then that of this machine alone.
  @Option(name: .customLong("host"), help: .usage(.serveHost, valueName: "host"))
  var givenHost: String?

  /// Nil if it is not given: then 8080.
  @Option(name: .customLong("port"), help: .usage(.servePort, valueName: "port"))
  var givenPort: Int?

  @Option(help: .usage(.serveSocket, valueName: "path"))
  var socket: String?

  /// Nil if it is not given: then 600.
  @Option(help: .usage(.serveSocketMode, valueName: "mode"))
  var socketMode: String?

  @Option(name: .customLong("name"), help: .usage(.serveName, valueName: "host"))
  var names: [String] = []

  @Option(help: .usage(.serveCertificate, valueName: "file"))
  var certificate: String?

  @Option(help: .usage(.serveKey, valueName: "file"))
  var key: String?

  @Option(name: .customLong("trust-proxy"), help: .usage(.serveTrustProxy, valueName: "range"))
  var proxies: [String] = []

  var host: String { givenHost ?? "127.0.0.1" }

  var port: Int { givenPort ?? 8_080 }

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError(ErrorMessages.usage(.wrongPort)) }
    if givenHost != nil, socket != nil { throw WrongUsage.either("--host", or: "--socket") }
    if givenPort != nil, socket != nil { throw WrongUsage.either("--port", or: "--socket") }
    if socketMode != nil, socket == nil { throw WrongUsage.needless("--socket-mode", without: "--socket") }
    guard !host.isEmpty else { throw ValidationError(ErrorMessages.usage(.wrongHost)) }
    guard names.allSatisfy(HostName.isBare) else { throw ValidationError(ErrorMessages.usage(.wrongName)) }
    guard socketMode.map({ Self.mode($0) != nil }) ?? true else {
      throw ValidationError(ErrorMessages.usage(.wrongSocketMode))
    }
    guard (certificate == nil) == (key == nil) else { throw ValidationError(ErrorMessages.usage(.wrongCertificate)) }
    guard proxies.allSatisfy({ NetworkAddress.Range($0) != nil }) else {
      throw ValidationError(ErrorMessages.usage(.wrongProxy))
    }
  }

  /// The sockets of a service manager come before those that are named here.
  func place(_ paths: DefaultPaths) -> ServerListening {
    let environment = EnvironmentVariables.ofProcess
    let names = ["LISTEN_PID", "LISTEN_FDS"].compactMap { name in environment[name].map { (name, $0) } }
    let inherited = InheritedSockets.numbers(Dictionary(names) { $1 }, process: getpid())
    if !inherited.isEmpty { return .inherited(inherited) }
    let mode = socketMode.flatMap(Self.mode) ?? 0o600
    return socket.map { .socket(path: paths.absolute($0), mode: mode) } ?? .port
  }

  func files(_ paths: DefaultPaths) -> CertificateFiles? {
    guard let certificate, let key else { return nil }
    return CertificateFiles(certificate: paths.absolute(certificate), key: paths.absolute(key))
  }

  var ranges: [NetworkAddress.Range] { proxies.compactMap(NetworkAddress.Range.init) }

  /// Nil for what are no permissions.
  private static func mode(_ text: String) -> UInt32? {
    UInt32(text, radix: 8).flatMap { (0...0o777).contains($0) ? $0 : nil }
  }
}

/// Whom a server lets in.
struct AccessOptions: ParsableArguments {
  @Option(help: .usage(.serveJWTIssuer, valueName: "url"))
  var jwtIssuer: String?

  @Option(help: .usage(.serveJWTAudience, valueName: "text"))
  var jwtAudience: String?

  @Option(help: .usage(.serveJWTKeys, valueName: "file"))
  var jwtKeys: String?

  @Flag(help: .usage(.serveOpen))
  var open = false

  func validate() throws {
    let signIn = [jwtIssuer, jwtAudience, jwtKeys].compactMap(\.self)
    guard signIn.isEmpty || signIn.count == 3 && !signIn.contains("") else {
      throw ValidationError(ErrorMessages.usage(.wrongJWT))
    }
  }

  func signIn(_ paths: DefaultPaths) -> SignInConfiguration? {
    guard let jwtIssuer, let jwtAudience, let jwtKeys else { return nil }
    return SignInConfiguration(issuer: jwtIssuer, audience: jwtAudience, keys: paths.absolute(jwtKeys))
  }
}

/// Which tables a server has, and what their columns are called.
struct TableOptions: ParsableArguments {
  @Option(help: .usage(.serveTables))
  var tables = TablePolicy.Tables.fixed

  @Option(name: .customLong("alias"), help: .usage(.serveAlias, valueName: "column=name"))
  var aliases: [String] = []

  func validate() throws {
    guard columnNames != nil else { throw ValidationError(ErrorMessages.usage(.wrongAlias)) }
  }

  var policy: TablePolicy {
    var policy = TablePolicy(tables)
    policy.aliases = columnNames ?? .none
    return policy
  }

  /// Nil if the aliases can't be what they should be.
  private var columnNames: ColumnNames? { ColumnNames(words: aliases) }
}

/// Which backups a server makes while it runs.
struct BackupOptions: ParsableArguments {
  @Option(help: .usage(.serveBackupEvery, valueName: "24h"))
  var backupEvery: String?

  @Option(help: .usage(.serveKeep, valueName: "number"))
  var keep: Int?

  @Option(help: .usage(.serveBackupFolder, valueName: "folder"))
  var backupFolder: String?

  func validate() throws {
    guard (keep ?? 1) > 0 else { throw ValidationError(ErrorMessages.usage(.wrongKeep)) }
    guard let backupEvery else {
      if keep != nil { throw WrongUsage.needless("--keep", without: "--backup-every") }
      if backupFolder != nil { throw WrongUsage.needless("--backup-folder", without: "--backup-every") }
      return
    }
    guard Self.milliseconds(backupEvery) != nil else { throw ValidationError(ErrorMessages.usage(.wrongBackupEvery)) }
  }

  func plan(_ paths: DefaultPaths, database: String) -> BackupPlan? {
    guard let every = backupEvery.flatMap(Self.milliseconds) else { return nil }
    let beside = URL(filePath: database).deletingLastPathComponent().appending(path: "backups").path
    return BackupPlan(every: every, keep: keep ?? 7, folder: backupFolder.map(paths.absolute) ?? beside)
  }

  /// Of `30m`, `24h` or `7d`; nil for anything else, and beyond ten years.
  private static func milliseconds(_ text: String) -> Int64? {
    TimeSpan.parse(text, units: ["m": 60_000, "h": 3_600_000, "d": 86_400_000], in: 60_000...315_360_000_000)
  }
}

/// A span of time as options have it: a number and the letter of a unit, as in `90d`.
enum TimeSpan {
  /// The number times the worth of its unit. Nil if the result is outside of `range`, and for anything else, such as a
  /// number with a sign.
  static func parse(_ text: String, units: [Character: Int64], in range: ClosedRange<Int64>) -> Int64? {
    guard text.first != "+", let unit = text.last.flatMap({ units[$0] }), let number = Int64(text.dropLast()) else {
      return nil
    }
    let (span, isTooLong) = number.multipliedReportingOverflow(by: unit)
    return !isTooLong && range.contains(span) ? span : nil
  }
}

/// The options of a server's log.
struct LogOptions: ParsableArguments {
  enum Level: String, CaseIterable, ExpressibleByArgument { case error, notice, info }

  @Option(help: .usage(.serveLog))
  var log = LogFormat.text

  @Option(help: .usage(.serveLogLevel))
  var logLevel = Level.error

  var logger: Logger { Self.openLogger(log, level, on: STDERR_FILENO) }

  /// Prints a sentence on standard error. In a log of JSON it is an entry, whatever the level is.
  var say: @Sendable (String) -> Void {
    guard log == .json else { return { StandardOutput.error($0) } }
    let entries = Self.openLogger(log, .notice, on: STDERR_FILENO)
    return { entries.notice("\($0)") }
  }

  /// The same on standard output, which a service manager may keep with the log.
  var announce: @Sendable (String) -> Void {
    guard log == .json else { return { StandardOutput.line($0) } }
    let entries = Self.openLogger(log, .notice, on: STDOUT_FILENO)
    return { entries.notice("\($0)") }
  }

  /// The error that the command ends with. In a log of JSON its sentence is the last entry.
  func ending(with failure: CommandFailure) -> any Error {
    guard log == .json, let sentence = ErrorMessages.sentence(for: failure) else { return failure }
    logger.error("\(sentence)")
    return ExitCode(ExitStatus.of(failure))
  }

  /// Says why a command line can't be used. If it asks for a log of JSON, the sentence is an entry of that.
  static func report(_ sentence: String, about arguments: [String]) {
    guard asksForJSON(arguments) else { return StandardOutput.error(sentence) }
    openLogger(.json, .error, on: STDERR_FILENO).error("\(sentence)")
  }

  /// True if a command line is about the server itself, and asks for a log of JSON. It need not be right otherwise.
  static func asksForJSON(_ arguments: [String]) -> Bool {
    let words = arguments.prefix { $0 != "--" }
    let asks = words.contains("--log=json") || zip(words, words.dropFirst()).contains { $0 == "--log" && $1 == "json" }
    // The tree of commands is made of their help, and most lines have no such word.
    guard asks, let tree = CommandTree.ofProgram() else { return false }
    return TypedCommand(tree, arguments).name == "ebb serve"
  }

  private static func openLogger(_ format: LogFormat, _ level: Logger.Level, on descriptor: Int32) -> Logger {
    format.logger(level, clock: Environment.system.now) { _ = OpenFile.write($0, to: descriptor) }
  }

  private var level: Logger.Level {
    switch logLevel {
    case .error: .error
    case .notice: .notice
    case .info: .info
    }
  }
}

extension LogFormat: ExpressibleByArgument {}
extension TablePolicy.Tables: ExpressibleByArgument {}
