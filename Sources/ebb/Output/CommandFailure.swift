import ArgumentParser
import Glibc
import OfflineSync
import TableClient
import TableServer
import TableStorage
import Terminal
import TodoCore
import Words

/// Why a command could not do what it was asked: data, of which `ErrorMessages` makes a sentence.
enum CommandFailure: Error {
  case badServer(String)
  /// The configuration file has it.
  case badServerInFile(String)
  /// `ebb sync --verify` without a server.
  case noServerToCompare
  /// `ebb purge` without a server. Holds what would be lost, as `TodoError.changesWait` counts it.
  case lossWithoutServer(unsent: Int, conflicts: Int, held: Int)
  /// The file that should have the token, or the variable.
  case unreadableToken(String, Credentials.Flaw)
  /// The file of authorities to trust has no certificate in it, or can't be read.
  case unreadableAuthorities(String)
  case unreadableConfiguration(String, ConfigurationFile.Problem)
  case badSetting(BadSetting)
  /// A path in the configuration file begins with a variable or with the name of a user.
  case badPath(BadSetting)
  case unknownHandle(String)
  /// The item was deleted by the last change.
  case deletedHandle(String)
  case ambiguousHandle(String, [TodoItem])
  /// A number in place of a handle, as other programs number items.
  case numberForHandle(String)
  /// All words that were given as a text are handles of items.
  case onlyHandles(CommandRewrite, handle: String, text: String)
  case nothingToAdd
  case nothingToEdit(String)
  case nothingToDecide(String)
  /// The item waits for a decision, and its two texts make no merged one.
  case nothingMerged(String)
  /// The server refused the change of the item: both texts can't be kept of it.
  case bothRefused(String)
  /// The answer to the question was not yes.
  case nothingDeleted
  case badPriority(String)
  case input(InputProblem)
  case editor(EditorProblem)
  case configuration(ConfigurationProblem)
  /// The desktop can't be told anything.
  case noNotifier
  case nothingToReverse(UndoResult.Direction)
  case notReversed(UndoResult)
  case terminal(TerminalProblem)
  case sync(SyncFailure, pending: Int)
  /// The server asks for a token, and the one of the configuration is for another server.
  case tokenWithheld(from: ServerAddress, owner: ServerAddress, pending: Int)
  /// Everything was compared, and the two sides differ; perhaps only because this one has not heard of the last
  /// changes.
  case differs(isBehind: Bool)
  case server(ServerError, host: String)
  /// No token that was not taken back has this name.
  case unknownToken(String)
  /// The ids of several tokens begin so.
  case ambiguousToken(String, [String])
  case removal(RemovalFailure)
  case pairing(PairingFailure)
  case exchange(ExchangeFailure)
  /// Nothing to tell about has this name.
  case unknownTopic(String, nearest: String?)
}

/// The exit codes of the program.
enum ExitStatus {
  static let failed: Int32 = 1
  static let conflictsWait: Int32 = 2
  static let wrongUsage: Int32 = 64
  static let notReachable: Int32 = 69
  static let notAllowed: Int32 = 77
  /// As a shell has it for a program that SIGINT ended.
  static let interrupted: Int32 = 130
}

extension ExitStatus {
  static func of(_ error: any Error) -> Int32 {
    switch error {
    case let failure as CommandFailure: of(failure)
    case StoreError.notAllowed: notAllowed
    case is FilterProblem: wrongUsage
    default: failed
    }
  }

  private static func of(_ failure: CommandFailure) -> Int32 {
    switch failure {
    case .badServer, .badServerInFile, .noServerToCompare, .unreadableConfiguration, .badSetting, .badPath,
      .onlyHandles, .nothingToAdd, .nothingToEdit, .terminal, .badPriority, .unknownTopic:
      wrongUsage
    case .editor(.noTerminal), .editor(.onlyHandles), .configuration(.noTerminal): wrongUsage
    case .configuration(.notWritten(_, let code)) where [EACCES, EPERM, EROFS].contains(code): notAllowed
    case .nothingDeleted, .lossWithoutServer, .input, .editor, .noNotifier, .configuration: failed
    case .unreadableToken, .unreadableAuthorities, .tokenWithheld: notAllowed
    case .unknownHandle, .deletedHandle, .ambiguousHandle, .numberForHandle, .nothingToDecide, .nothingMerged,
      .bothRefused, .nothingToReverse, .notReversed, .differs, .unknownToken, .ambiguousToken:
      failed
    case .sync(let failure, _): of(failure)
    case .server(.portNotAllowed, _), .server(.database(.notAllowed), _), .server(.database(.backup(.notAllowed)), _):
      notAllowed
    case .server(.noTokenGiven, _), .server(.noTokenGivenBehindProxy, _): wrongUsage
    case .server(.addressUnknown, _), .server(.addressOfNoneUnknown, _): wrongUsage
    case .server(.aliasHides, _), .server(.aliasDiffers, _), .server(.aliasOfOtherKind, _): wrongUsage
    case .removal(let failure): failure.status
    case .pairing(let failure): of(failure)
    case .exchange(let failure): failure.status
    case .server: failed
    }
  }

  private static func of(_ failure: PairingFailure) -> Int32 {
    switch failure {
    case .notALink, .cutLink, .wouldReplace: wrongUsage
    case .declined, .notWritten, .notEditable: failed
    case .join(.remote(let failure), _): of(failure.reason)
    case .join(.notOurs, _): notReachable
    case .join: notAllowed
    }
  }

  private static func of(_ failure: SyncFailure) -> Int32 {
    switch failure {
    case .remote(let failure): of(failure.reason)
    case .cancelled: interrupted
    case .serverWentBack: conflictsWait
    case .store, .otherProgramBusy, .otherAccount, .invalidPull, .massRemoval, .other: failed
    }
  }

  static func of(_ reason: RemoteFailure.Reason) -> Int32 {
    switch reason {
    case .noServer: wrongUsage
    case .refusedOnTheWay where reason.asksForSignIn: notAllowed
    case .unreachable, .busy, .notTheServer, .refusedOnTheWay: notReachable
    case .noSignIn, .signInNeeded, .notAllowed: notAllowed
    case .serverError, .badAnswer, .alteredAnswer, .otherDatabase, .otherEpoch: failed
    }
  }
}
