import FoundationEssentials
import Glibc
import OfflineSync
import TableClient
import TableProtocol
import TableServer
import TableStorage
import TodoCore
import TodoUI
import Words

/// Turns an error into one sentence that says what to do.
enum ErrorMessages {
  /// In the language the environment asks for, where it can be written.
  static var catalogue: Catalogue { StandardOutput.isEnglish ? .english : chosen }

  private static let chosen = Catalogue.of(Language.chosen(.ofProcess))

  /// A text of `ebb --help`. The headings around it are the argument library's: see `HelpText`.
  static func usage(_ key: UsageKey) -> String { catalogue.usage(key) }

  /// Nil for an error of the argument library: wrong usage, help that was asked for, a bare exit code.
  ///
  /// Paths, addresses, words of a server or of PostgreSQL come from outside, and must not steer the terminal. The signs
  /// that would are taken out here, of the whole sentence, so that no sentence can forget it.
  static func sentence(for error: any Error) -> String? {
    let sentence: String? =
      switch error {
      case let failure as CommandFailure: sentence(ofCommand: failure)
      case let error as StoreError: sentence(ofStore: error)
      case let error as TodoError: sentence(ofList: error)
      case let problem as FilterProblem: catalogue.sentence(for: problem)
      default: nil
      }
    return sentence?.printable
  }

  /// Like `sentence(for:)`, but says something of any error.
  static func anySentence(for error: any Error) -> String {
    sentence(for: error) ?? catalogue.text(.commandUnexpected, ["reason": String(describing: error)]).printable
  }

  /// The decisions that wait in a list, and the commands for them.
  static func decisions(in status: SyncStatus) -> String {
    catalogue.text(.conflictsWait, ["conflicts": String(status.conflicts), "refused": String(status.refused)])
  }

  /// Words of the system or of a library, in the user's language where they are known.
  static func said(_ reason: String) -> String { catalogue.reason(saidBySystem: reason) }

  private static func sentence(ofStore error: StoreError) -> String {
    switch error {
    case .notAStore(let path): catalogue.text(.storeNotAStore, ["path": path])
    case .newerVersion(let path): catalogue.text(.storeNewerVersion, ["path": path])
    case .emptied(let path): catalogue.text(.storeEmptied, ["path": path])
    case .missing(let path): catalogue.text(.storeMissing, ["path": path])
    case .fileGone(let path): catalogue.text(.storeFileGone, ["path": path])
    case .notAllowed(let path): sentence(ofNotAllowed: path)
    case .cannotOpen(let path, let reason): catalogue.text(.storeCannotOpen, ["path": path, "reason": said(reason)])
    case .diskFull(let path): catalogue.text(.storeDiskFull, ["path": path])
    case .busy(let path): catalogue.text(.storeBusy, ["path": path])
    case .failed(let path, let reason): catalogue.text(.storeFailed, ["path": path, "reason": said(reason)])
    }
  }

  private static func sentence(ofNotAllowed path: String) -> String {
    // A file that is not there has no permissions: it is about the folder in which it would be made.
    guard access(path, F_OK) != 0, errno == ENOENT else {
      return catalogue.text(isReadOnly(path) ? .storeReadOnly : .storeNotAllowed, ["path": path])
    }
    let folder = FileFolder(of: path).nearest
    return catalogue.text(
      isReadOnly(folder) ? .storeReadOnlyFolder : .storeNotAllowedFolder, ["path": path, "folder": folder])
  }

  /// True if the file or folder is on a file system that nobody may write to.
  private static func isReadOnly(_ path: String) -> Bool {
    var system = statvfs()
    return statvfs(path, &system) == 0 && system.f_flag & UInt(ST_RDONLY) != 0
  }

  private static func sentence(ofList error: TodoError) -> String {
    switch error {
    case .emptyText: catalogue.text(.commandNothingToAdd)
    case .notFound, .ambiguousHandle: catalogue.text(.itemGone)
    case .overtaken(let text): catalogue.text(.noticeOvertaken, ["text": ItemText(text).line])
    case .nothingToDecide: catalogue.text(.conflictGone)
    case .conflictChanged: catalogue.text(.noticeConflictsChanged, count: 1)
    case .bothRefused: catalogue.text(.conflictBothRefused)
    case .changesWait(let count, let conflicts, let held): sentence(ofWaiting: count, conflicts, held)
    case .otherProgramSyncs: catalogue.text(.failureOtherProgramBusy)
    }
  }

  /// A sentence for each kind of change that a purge would lose. Conflicts can be decided without a server too.
  private static func sentence(
    ofWaiting changes: Int, _ conflicts: Int, _ held: Int, hasServer: Bool = true
  ) -> String {
    let kinds: [(key: PluralKey, count: Int)] = [
      (hasServer ? .purgeChangesWait : .purgeNoServer, changes), (.purgeConflicts, conflicts),
      (hasServer ? .purgeHeld : .purgeHeldNoServer, held),
    ]
    return kinds.filter { $0.count > 0 }.map { catalogue.text($0.key, count: $0.count) }
      .joined(separator: catalogue.text(.sentenceSeparator))
  }

  private static func sentence(ofCommand failure: CommandFailure) -> String {
    switch failure {
    case .badServer(let text): catalogue.text(.commandBadServer, ["url": withoutUser(text)])
    case .badServerInFile(let text): catalogue.text(.configBadServer, ["url": withoutUser(text)])
    case .noServerToCompare: catalogue.text(.verifyNoServer)
    case .lossWithoutServer(let unsent, let conflicts, let held):
      sentence(ofWaiting: unsent, conflicts, held, hasServer: false)
    case .unreadableAuthorities(let path): catalogue.text(.commandUnreadableAuthorities, ["path": path])
    case .unreadableToken(let path, let flaw): sentence(ofToken: path, flaw)
    case .unreadableConfiguration(let path, let problem): sentence(ofConfigurationFile: path, problem)
    case .badSetting(let problem): sentence(ofSetting: problem)
    case .badPath(let problem): sentence(ofPath: problem)
    case .unknownHandle(""): catalogue.text(.commandNoHandle)
    case .unknownHandle(let handle): catalogue.text(.commandUnknownHandle, ["handle": handle])
    case .deletedHandle(let handle): catalogue.text(.deletedHandle, ["handle": handle])
    case .ambiguousHandle(let handle, let items): sentence(ofAmbiguousHandle: handle, items)
    case .numberForHandle(let number): catalogue.text(.commandNumberForHandle, ["number": number])
    case .onlyHandles(let change, let handle, let text): sentence(ofHandlesAsText: change, handle, text)
    case .nothingToAdd: catalogue.text(.commandNothingToAdd)
    case .nothingToEdit(let handle): catalogue.text(.commandNothingToEdit, ["handle": handle])
    case .nothingToDecide(let handle): catalogue.text(.commandNothingToDecide, ["handle": handle])
    case .nothingMerged(let handle): catalogue.text(.commandNothingMerged, ["handle": handle])
    case .bothRefused(let handle): catalogue.text(.commandBothRefused, ["handle": handle])
    case .nothingDeleted: catalogue.text(.nothingDeleted)
    case .badPriority(let word): catalogue.text(.badPriority, ["word": word])
    case .input(let problem): sentence(ofInput: problem)
    case .configuration(let problem): sentence(ofConfiguration: problem)
    case .noNotifier: catalogue.text(.remindNoNotifier)
    case .editor(let problem): sentence(ofEditor: problem)
    case .nothingToReverse(let way): catalogue.text(way == .undo ? .historyNothingToUndo : .historyNothingToRedo)
    case .notReversed(let reversal): catalogue.sentence(for: reversal)
    case .terminal(let problem): catalogue.sentence(for: problem)
    case .sync(let failure, let pending): sentence(ofSync: failure, pending: pending)
    case .tokenWithheld(let server, let owner, let pending): sentence(ofToken: owner, withheldFrom: server, pending)
    case .differs(let isBehind): catalogue.text(isBehind ? .verificationBehind : .verificationMend)
    case .server(let error, let host): sentence(ofServer: error, host)
    case .unknownToken(let name): catalogue.text(.tokenUnknown, ["name": name])
    case .ambiguousToken(let id, let ids):
      catalogue.text(.tokenAmbiguous, ["id": id, "ids": ids.joined(separator: " ")])
    case .removal(let failure): failure.sentence
    case .pairing(let failure): sentence(ofPairing: failure)
    case .exchange(let failure): failure.sentence
    case .unknownTopic(let name, let nearest): sentence(ofTopic: name, nearest: nearest)
    }
  }

  private static func sentence(ofToken path: String, _ flaw: Credentials.Flaw) -> String {
    let key: CommandKey
    switch flaw {
    case .absent: key = .tokenAbsent
    case .notAllowed: return catalogue.text(.tokenNotAllowed, ["path": path])
    case .empty: key = .tokenEmpty
    case .unreadable: key = .tokenUnreadable
    case .variable: return catalogue.text(.tokenVariable, ["name": path])
    }
    return catalogue.sentences(catalogue.text(key, ["path": path]), catalogue.text(.tokenNeeded))
  }

  private static func sentence(
    ofToken owner: ServerAddress, withheldFrom server: ServerAddress, _ pending: Int
  ) -> String {
    let values: KeyValuePairs = ["owner": owner.text, "server": server.text]
    return catalogue.sentences(catalogue.text(.tokenWithheld, values), waiting(pending))
  }

  private static func sentence(ofHandlesAsText change: CommandRewrite, _ handle: String, _ text: String) -> String {
    let handles = ([handle] + text.split(separator: " ").map(String.init)).joined(separator: ",")
    return catalogue.text(
      .onlyHandles, ["command": change.command, "handles": handles, "handle": handle, "text": text])
  }

  private static func sentence(ofTopic name: String, nearest: String?) -> String {
    guard let nearest else { return catalogue.text(.topicUnknown, ["name": name]) }
    return catalogue.text(.topicUnknownNear, ["name": name, "nearest": nearest])
  }

  /// Each candidate has as many letters as part it from the others.
  private static func sentence(ofAmbiguousHandle handle: String, _ items: [TodoItem]) -> String {
    let ids = items.map(\.id.text).sorted()
    let shared = zip(ids, ids.dropFirst()).map { left, right in zip(left, right).prefix { $0 == $1 }.count }
    let length = max(8, (shared.max() ?? 0) + 1)
    let candidates = items.map { "\($0.id.text.prefix(length)) (\($0.line.printable.prefix(30)))" }
    return catalogue.text(
      .commandAmbiguousHandle,
      ["handle": handle, "candidates": candidates.joined(separator: catalogue.text(.listSeparator))])
  }

  /// Says why a sync could not be finished and, unless a person must act first, how many changes wait.
  private static func sentence(ofSync failure: SyncFailure, pending: Int) -> String {
    switch failure {
    case .remote(let failure) where failure.reason == .noServer: catalogue.text(.commandNoServer)
    case .otherAccount, .serverWentBack: catalogue.reason(failure)
    case .remote, .store, .otherProgramBusy, .invalidPull, .massRemoval, .cancelled, .other:
      catalogue.sentences(catalogue.reason(failure), waiting(pending))
    }
  }

  private static func waiting(_ pending: Int) -> String {
    pending == 0 ? catalogue.text(.commandNothingWaits) : catalogue.text(.commandChangesWait, count: pending)
  }

  private static func sentence(ofInput problem: InputProblem) -> String {
    switch problem {
    case .notUTF8(let line): catalogue.text(.inputNotUTF8, ["line": String(line)])
    case .tooLong: catalogue.text(.inputTooLong)
    case .unreadable(let reason): catalogue.text(.inputUnreadable, ["reason": said(reason)])
    }
  }

  private static func sentence(ofConfiguration problem: ConfigurationProblem) -> String {
    switch problem {
    case .none: catalogue.text(.configIsNone)
    case .exists(let path): catalogue.text(.configExists, ["path": path])
    case .noTerminal(let path): catalogue.text(.configNoTerminal, ["path": path])
    case .noFolder(let path): catalogue.text(.configNoFolder, ["path": path])
    case .notWritten(let path, let code):
      catalogue.text(
        .joinNotWritten, ["path": path, "reason": said(String(cString: strerror(code)).lowercased())])
    }
  }

  private static func sentence(ofEditor problem: EditorProblem) -> String {
    switch problem {
    case .noTerminal(let handle): catalogue.text(.editorNoTerminal, ["handle": handle])
    case .onlyHandles(let handle, let text):
      catalogue.text(.editorOnlyHandles, ["handle": handle, "text": text])
    case .missing(let editor): catalogue.text(.noticeEditorMissing, ["editor": editor])
    case .failed(let editor, nil): catalogue.text(.noticeEditorFailed, ["editor": editor])
    case .failed(let editor, let path?):
      catalogue.text(.noticeEditorKept, ["editor": editor, "path": path])
    case .notUTF8(let editor, let path):
      catalogue.text(.noticeEditorNotUTF8, ["editor": editor, "path": path])
    case .noFile(let folder): catalogue.text(.noticeEditorFile, ["path": folder])
    case .empty(let handle): catalogue.text(.editorEmpty, ["handle": handle])
    case .changedMeanwhile(let text): catalogue.text(.editorChangedMeanwhile, ["text": text])
    case .changedKept(let handle, let path):
      catalogue.text(.editorChangedKept, ["handle": handle, "path": path])
    case .goneKept(let handle, let path):
      catalogue.text(.editorGoneKept, ["handle": handle, "path": path, "argument": path.shellWord])
    case .lost(let line): sentence(ofLost: line)
    case .unknownHandle(let word, let handle, let text):
      catalogue.text(
        .editorUnknownHandle, ["word": word, "handle": handle, "text": text])
    }
  }

  private static func sentence(ofLost line: LostLine) -> String {
    let text = line.text
    return switch line.reason {
    case .unknownHandle: catalogue.text(.editorLeftOut, ["text": text])
    case .secondLine(let handle): catalogue.text(.editorSecondLine, ["handle": handle, "text": text])
    case .changedMeanwhile(let handle, let now):
      catalogue.text(.editorLineChanged, ["handle": handle, "now": now, "text": text])
    case .gone(let handle): catalogue.text(.editorGone, ["handle": handle, "text": text])
    }
  }

  private static func sentence(ofPairing failure: PairingFailure) -> String {
    switch failure {
    case .notALink: catalogue.text(.joinNotALink)
    case .cutLink: catalogue.text(.joinCutLink)
    case .wouldReplace(let old, let new):
      old == new
        ? catalogue.text(.joinWouldReplaceToken, ["url": new])
        : catalogue.text(.joinWouldReplace, ["old": old, "new": new])
    case .declined: catalogue.text(.joinDeclined)
    case .notWritten(let path, let reason): catalogue.text(.joinNotWritten, ["path": path, "reason": said(reason)])
    case .notEditable(let path, let server, let tokenFile):
      catalogue.text(.joinNotEditable, ["path": path, "server": server, "token": tokenFile])
    case .join(.unknownLink, _): catalogue.text(.joinUnknown)
    case .join(.usedLink, _): catalogue.text(.joinUsed)
    case .join(.expiredLink, _): catalogue.text(.joinExpired)
    case .join(.notOurs, let server): catalogue.text(.joinNotOurs, ["url": server])
    case .join(.tokenRefused, let server): catalogue.text(.joinTokenRefused, ["url": server])
    case .join(.remote(let failure), let server) where failure.mayHaveActed:
      catalogue.sentences(reason(failure.reason, joining: server), catalogue.text(.joinLost))
    case .join(.remote(let failure), let server): reason(failure.reason, joining: server)
    }
  }

  /// Why a request to join failed. `ebb doctor` could not say why no secure connection was made: the server is not set
  /// yet. So its sentence stands here.
  private static func reason(_ reason: RemoteFailure.Reason, joining server: String) -> String {
    guard case .unreachable(_, .tls) = reason, let address = ServerAddress(server) else {
      return catalogue.reason(reason)
    }
    return catalogue.text(.encryptionFailed, ["server": address.text, "host": address.host])
  }

  /// An address may have a password in it, and the sentence may go into a mail.
  static func withoutUser(_ address: String) -> String {
    guard let start = address.firstRange(of: "://")?.upperBound else { return address }
    let host = address[start...].prefix { $0 != "/" }
    guard let end = host.lastIndex(of: "@") else { return address }
    return address[..<start] + "…" + address[end...]
  }

  /// In the order they were found.
  static func sentences(for warnings: [SettingWarning]) -> [String] {
    warnings.map { sentence(forWarning: $0).printable }
  }

  /// The same for a place that has one line.
  static func sentence(for warnings: [SettingWarning]) -> String {
    sentences(for: warnings).joined(separator: catalogue.text(.sentenceSeparator))
  }

  /// For the list, which has little room: one mistake as its sentence; of several how many there are and where all are
  /// named, then a line each without the path of the file.
  static func lines(for warnings: [SettingWarning], path: String) -> [String] {
    let count = warnings.map(\.mistakes).reduce(0, +)
    guard count > 1 else { return [sentence(for: warnings)] }
    let prefix = path.printable
    let lines = sentences(for: warnings).map { sentence in
      sentence.hasPrefix(prefix) ? String(sentence.dropFirst(prefix.count).drop { ":： ".contains($0) }) : sentence
    }
    return [catalogue.text(.configSeveral, ["count": String(count)])] + lines
  }

  private static func sentence(forWarning warning: SettingWarning) -> String {
    switch warning {
    case .unknownKeys(let keys, let path):
      catalogue.text(
        .configUnknownKeys, ["path": path, "keys": keys.joined(separator: catalogue.text(.listSeparator))])
    case .sharedKey(let key, let path):
      catalogue.text(
        key.kept.isEmpty ? .configLostKey : .configSharedKey,
        [
          "path": path, "place": catalogue.name(of: key.place), "key": key.key, "first": key.first.name,
          "second": key.second.name, "keys": key.kept.joined(separator: " "),
        ])
    case .newStore(let path, nil): catalogue.text(.commandNewStore, ["path": path])
    case .newStore(let path, let place?): catalogue.text(.configNewStore, ["path": path, "place": place])
    case .badValue(let problem): sentence(ofBadValue: problem)
    case .valueOfGroup(let key, let example, let path):
      catalogue.text(.configValueOfGroup, ["path": path, "key": key, "example": example])
    case .notOfFile(let key, let path): catalogue.text(.configNotOfFile, ["path": path, "key": key])
    case .badFilter(let key, let problem, let path):
      catalogue.text(
        .configBadFilter, ["path": path, "key": key, "problem": catalogue.sentence(for: problem)])
    case .unreadableToken(let path, let flaw): sentence(ofToken: path, flaw)
    case .badTokenPath(let problem): sentence(ofPath: problem)
    }
  }

  private static func sentence(ofBadValue problem: BadSetting) -> String {
    let values: KeyValuePairs = [
      "path": problem.place ?? "", "key": problem.key, "value": problem.value, "allowed": problem.allowed,
    ]
    return switch problem.flaw {
    case .word: catalogue.text(.configBadWhen, values)
    case .neverAmongOthers: catalogue.text(.configNeverAlone, values)
    case .value: catalogue.text(problem.value.isEmpty ? .configNoValue : .configBadValue, values)
    }
  }

  private static func sentence(ofSetting problem: BadSetting) -> String {
    guard let path = problem.place else {
      return catalogue.text(
        .commandBadFlag, ["flag": problem.key, "value": problem.value, "allowed": problem.allowed])
    }
    return catalogue.text(
      .commandBadSetting,
      ["path": path, "key": problem.key, "value": problem.value, "allowed": problem.allowed])
  }

  private static func sentence(ofPath problem: BadSetting) -> String {
    catalogue.text(
      .configBadPath, ["path": problem.place ?? "", "key": problem.key, "value": problem.value])
  }

  private static func sentence(ofConfigurationFile path: String, _ problem: ConfigurationFile.Problem) -> String {
    if case .absent = problem { return catalogue.text(.configMissing, ["path": path]) }
    return catalogue.text(.commandUnreadableConfiguration, ["path": path, "reason": reason(problem)])
  }

  private static func reason(_ problem: ConfigurationFile.Problem) -> String {
    switch problem {
    case .absent, .unreadable: catalogue.text(.configUnreadable)
    case .notUTF8(let line): catalogue.text(.configLineNotUTF8, ["line": String(line)])
    case .tab(let line): catalogue.text(.configTab, ["line": String(line)])
    case .unclosed(nil): catalogue.text(.configUnclosed)
    case .unclosed(let line?): catalogue.text(.configUnclosedAt, ["line": String(line)])
    case .sign(let sign, let line): catalogue.text(.configSign, ["line": String(line), "sign": String(sign)])
    case .duplicates(let keys): catalogue.text(.configDuplicates, ["keys": keys])
    case .notYAML(nil): catalogue.text(.configNotYAML)
    case .notYAML(.some(let line)): catalogue.text(.configBadLine, ["line": String(line)])
    }
  }
}
