import ArgumentParser
import FoundationEssentials
import Glibc
import OfflineSync
import TableClient
import TableProtocol
import TableServer
import TableStorage
import TodoCore
import Words

/// `ebb serve invite`: prints a link by which one device gets a token of its own.
struct InviteCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .invite, "invite", examples: .serveInvite, more: .inviteMore)

  @Option(help: .usage(.inviteUser, valueName: "name"))
  var user: String

  @Option(help: .usage(.inviteURL, valueName: "url"))
  var url: String?

  @OptionGroup var database: ServerDatabaseOption

  func validate() throws {
    guard UserName(user) != nil else { throw ValidationError(ErrorMessages.usage(.wrongUser)) }
    if let url, !Self.canStandInLink(url) { throw ValidationError(ErrorMessages.usage(.wrongURL)) }
  }

  /// True if `ebb join` reads the address back from a link. A quote in it would end those that stand around a link in a
  /// shell.
  static func canStandInLink(_ url: String) -> Bool {
    guard let address = ServerAddress(url), !url.contains(where: { "\"'`".contains($0) }) else { return false }
    let link = InvitationLink(server: address.text, secret: InvitationLink.secretPrefix + "secret").text
    return InvitationLink(link)?.server == address.text
  }

  func run() throws {
    guard let user = UserName(user) else { return }
    let madeDatabase = database.sentenceIfMade
    let (before, invited) = try invite(user)
    StandardOutput.whole(invited.link.text)
    let words = ErrorMessages.catalogue
    let until = invited.grant.expiresAt.map(TokenTable.minute) ?? ""
    StandardOutput.error(words.text(.serveInvited, ["user": user.text, "time": until]))
    user.report(tokensBefore: before)
    if let madeDatabase { StandardOutput.error(madeDatabase) }
    if invited.itemsTakenOver > 0 {
      StandardOutput.error(words.text(.tokenTookOver, count: invited.itemsTakenOver, ["user": user.text]))
    }
    if ServerAddress(invited.link.server).map({ HostName(plain: $0.host).isLoopback }) ?? false {
      StandardOutput.error(words.text(.serveInviteLocal, ["url": invited.link.server]))
    }
  }
}

extension InviteCommand {
  /// Returns how many tokens the user had, and the invitation.
  private func invite(
    _ user: UserName
  ) throws -> (before: Int?, invited: (link: InvitationLink, grant: Grant, itemsTakenOver: Int)) {
    do {
      // Without an address nothing could be printed, and a database that nobody asked for would be left.
      return try database.withTokens(makesDatabase: url != nil) { tokens throws(ServerError) in
        (try tokens.count(of: user), try tokens.invite(user, server: url.flatMap(ServerAddress.init)?.text))
      }
    } catch CommandFailure.server(.database(.noDatabase(let path)), let host) where url == nil {
      if let missing = database.sentenceIfMissing { StandardOutput.error(missing) }
      throw CommandFailure.server(.addressOfNoneUnknown(path: path), host: host)
    }
  }
}

/// `ebb join`: makes this device one of a user's, with a link that the server printed.
struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration.of(
    .join, "join", examples: .join, more: .joinMore)

  @Argument(help: .usage(.joinLink))
  var link: String

  @Option(help: .usage(.joinLabel, valueName: "text"))
  var label: String?

  @Flag(name: .shortAndLong, help: .usage(.joinYes))
  var yes = false

  @OptionGroup var asking: AskingOptions

  @OptionGroup var settings: SettingsOptions

  func validate() throws {
    guard (label ?? "").utf8.count <= JoinRequest.longestLabel else {
      throw ValidationError(ErrorMessages.usage(.wrongLabel))
    }
  }

  func run() throws {
    // A list of processes shows what stands on a command line.
    let typed = link == "-" ? readLine() ?? "" : link
    guard let link = InvitationLink(typed), let address = ServerAddress(link.server) else {
      throw CommandFailure.pairing(.notALink)
    }
    guard link.isWhole else { throw CommandFailure.pairing(.cutLink) }
    let pairing = try DevicePairing(settings.flags, environment: .ofProcess)
    try askIfNeeded(pairing, address)
    // All that can fail here is tried before the link is used up.
    let change = try pairing.prepare(server: address.text, secret: link.secret)
    defer { change.discard() }
    let remote = RemoteInvitation(address, secret: link.secret, settings: ClientSettings(caFile: pairing.caFile))
    let answer = try Self.accept(address) { () throws(JoinFailure) in
      do throws(JoinFailure) {
        return try remote.accept(device: label ?? Self.deviceName, attempt: change.attempt)
      } catch {
        if !error.mayHaveJoined { change.forgetAttempt() }
        throw error
      }
    }
    try Self.accept(address) { () throws(JoinFailure) in
      try remote.check(token: answer.token, table: TodoList.definition.name)
    }
    try change.commit(token: answer.token, user: answer.user)
    report(answer, address, change)
  }

  private func report(_ answer: JoinAnswer, _ address: ServerAddress, _ change: DevicePairing.Change) {
    let words = ErrorMessages.catalogue
    StandardOutput.report(
      words.text(
        .joinDone,
        [
          "url": address.text, "user": answer.user.printable, "token": change.tokenFile, "path": change.configuration,
        ]))
    let environment = EnvironmentVariables.ofProcess
    let namesNewServer = environment["EBB_SERVER"].flatMap(ServerAddress.init) == address
    let names = namesNewServer ? ["EBB_TOKEN"] : ["EBB_SERVER", "EBB_TOKEN"]
    for name in names where environment[name]?.isEmpty == false {
      StandardOutput.error(words.text(.joinVariable, ["name": name]))
    }
  }
}

extension JoinCommand {
  /// Asks before a server or a token is replaced. Throws if that is not wanted.
  private func askIfNeeded(_ pairing: DevicePairing, _ address: ServerAddress) throws {
    guard !yes, let old = pairing.replaced(by: address) else { return }
    guard !asking.noInput, SyncQuestion.canBeAsked else {
      throw CommandFailure.pairing(.wouldReplace(old: old, new: address.text))
    }
    let words = ErrorMessages.catalogue
    let question =
      old == address.text
      ? words.text(.joinTokenQuestion, ["url": old])
      : words.text(.joinQuestion, ["old": old, "new": address.text])
    guard YesOrNo.isAgreed(question, words.text(.joinChoices)) else { throw CommandFailure.pairing(.declined) }
  }

  private static func accept<Value>(_ address: ServerAddress, _ body: () throws(JoinFailure) -> Value) throws -> Value {
    do throws(JoinFailure) {
      return try body()
    } catch {
      throw CommandFailure.pairing(.join(error, server: address.text))
    }
  }

  private static var deviceName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// Why a device could not be paired with a server. Nothing was changed here.
enum PairingFailure: Error {
  case notALink
  /// Something is missing at the end of the link, or was added there.
  case cutLink
  /// The device syncs with a server already, and nobody could be asked.
  case wouldReplace(old: String, new: String)
  case declined
  case join(JoinFailure, server: String)
  case notWritten(path: String, reason: String)
  /// The configuration file is written in a way in which these values can't be set.
  case notEditable(path: String, server: String, tokenFile: String)
}
