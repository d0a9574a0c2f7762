import TableProtocol

/// A failure between the server and PostgreSQL.
enum PostgreSQLFailure: Error, Hashable {
  /// libpq is not there. The text is the loader's.
  case noLibrary(String)
  /// There is no connection, or it was cut. The text names the cause, for the log, and has no password.
  case unreachable(String)
  /// The server answered, and began no session. `state` is its SQLSTATE; nil if libpq turned away from the server, as
  /// from a standby. The words have no password.
  case turnedAway(state: String?, String)
  /// The database asks for a repetition of the whole transaction: two of them met.
  case again
  /// A statement was refused with this SQLSTATE. `constraint` is the one that it would have violated.
  case refused(state: String, constraint: String?)
  /// It is not known whether the transaction was committed.
  case outcomeUnknown

  init(state: String, constraint: String?) {
    switch state {
    case "40001", "40P01": self = .again
    // The server is stopped or starts, or somebody ended the session.
    case "57P01", "57P02", "57P03", "57P05", "25P03": self = .unreachable("PostgreSQL ended the session (\(state))")
    // It became a standby, or was set to take no writes.
    case "25006": self = .unreachable("PostgreSQL takes no writes (\(state))")
    case _ where state.hasPrefix("08"): self = .unreachable("PostgreSQL ended the session (\(state))")
    default: self = .refused(state: state, constraint: constraint)
    }
  }

  /// True if the server has as many sessions as it, the database or the role may have.
  var isAboutTooManySessions: Bool {
    if case .turnedAway("53300", _) = self { return true }
    return false
  }

  /// The SQLSTATE in a message of libpq that ends with it; nil for one that has none.
  static func state(endingMessage message: String) -> String? {
    guard let line = message.split(whereSeparator: \.isNewline).last, let word = line.split(separator: " ").last,
      word.utf8.count == 5, word.utf8.contains(where: \.isDigit),
      word.utf8.allSatisfy({ $0.isDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
    else { return nil }
    return String(word)
  }

  /// The error for those who use the storage. The words of PostgreSQL are not used: they may have values in them.
  var error: StorageError {
    switch self {
    case .unreachable(let words), .noLibrary(let words), .turnedAway(_, let words): .unreachable(words)
    case .again: .busy
    case .outcomeUnknown: .outcomeUnknown
    case .refused("57014", _): .tooSlow
    case .refused("55P03", _): .busy
    case .refused("53100", _): .full
    case .refused("54000", _): .valueTooLarge
    case .refused("42501", _): .notAllowed
    // A value that does not fit, a row that is there already.
    case .refused(let state, let constraint) where state.hasPrefix("22") || state.hasPrefix("23"):
      .refused(Self.words(state, constraint))
    case .refused(let state, let constraint): .failed(Self.words(state, constraint))
    }
  }

  private static func words(_ state: String, _ constraint: String?) -> String {
    "PostgreSQL \(state)" + (constraint.map { " (\($0))" } ?? "")
  }

  /// Runs `body`, with its failures as errors of the storage.
  @discardableResult
  static func named<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let failure as PostgreSQLFailure {
      throw failure.error
    }
  }
}

extension ServerDatabaseError {
  /// Why a database of PostgreSQL can't be used.
  init(postgreSQL error: any Error, _ address: PostgreSQLAddress) {
    switch error {
    case let error as ServerDatabaseError: self = error
    case let problem as BackupProblem: self = .backup(problem)
    case PostgreSQLFailure.noLibrary(let reason): self = .noPostgreSQLLibrary(reason: reason)
    case let failure as PostgreSQLFailure:
      self = .databaseServer(DatabaseServerProblem(failure), database: address.shown)
    case let error as StorageError: self = .databaseServer(DatabaseServerProblem(error), database: address.shown)
    case is CancellationError: self = .databaseServer(DatabaseServerProblem(.interrupted), database: address.shown)
    default: self = .unexpected(name: "\(type(of: error))", database: address.shown)
    }
  }
}

extension DatabaseServerProblem {
  init(_ failure: PostgreSQLFailure) {
    switch failure {
    case .turnedAway(let state?, let reason): self = Self.turnedAway(state, reason)
    case .refused, .noLibrary, .unreachable, .turnedAway, .again, .outcomeUnknown:
      self = DatabaseServerProblem(failure.error)
    }
  }

  fileprivate init(_ error: StorageError) {
    switch error {
    case .unreachable(let reason): self = .noAnswer(reason: reason)
    case .outcomeUnknown: self = .outcomeUnknown
    case .full: self = .full
    case .busy, .waitedTooLong, .tooSlow: self = .busy
    case .notAllowed: self = .notAllowed
    case .failed, .refused, .damagedRow, .valueTooLarge, .interrupted, .fileGone: self = .other(reason: error.reason)
    }
  }

  /// By the SQLSTATE of a server that began no session.
  private static func turnedAway(_ state: String, _ reason: String) -> DatabaseServerProblem {
    switch state {
    case "28P01": .wrongPassword
    case "28000": .notLetIn(reason: reason)
    case "3D000": .noDatabase
    case "42501": .mayNotConnect
    case "53300": .tooManySessions
    case "57P01", "57P02", "57P03": .notReady(reason: reason)
    default: .other(reason: "\(reason), SQLSTATE \(state)")
    }
  }
}
