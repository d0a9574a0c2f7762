package import TableStorage

/// Why a table server could not start or go on.
package enum ServerError: Error, Hashable, Sendable {
  case portInUse(Int)
  /// The system does not let this user listen on the port.
  case portNotAllowed(Int)
  /// The host is not known, or is not an address of this machine.
  case hostNotUsable(String)
  case cannotListen(reason: String)
  case certificate(CertificateProblem)
  case signIn(KeyFileProblem)
  /// The system can't keep a path of this length for a socket.
  case socketPathTooLong(String)
  /// Something that is no socket is where the socket should be.
  case notASocket(String)
  /// Another server listens there.
  case socketInUse(String)
  case socketFailed(path: String, reason: String)
  /// The address for devices is not known: no server has run on the database yet.
  case addressUnknown
  /// The same, since there is no database. To start a server on a new one would not help: as long as nobody is invited
  /// it serves this machine alone.
  case addressOfNoneUnknown(path: String)
  /// Others than this machine could reach the server, and it gave out no token.
  case noTokenGiven(host: String, database: String)
  /// The same, through a proxy on this machine.
  case noTokenGivenBehindProxy(database: String)
  /// Items have values in a column whose name would be an alias of another (wire 1.1).
  case aliasHides(HiddenColumn, path: String)
  /// Together with the aliases that the database was served with, those that are given leave a name in doubt.
  case aliasDiffers(kept: String, path: String)
  /// Both columns have values, and not of one kind.
  case aliasOfOtherKind(String)
  case database(ServerDatabaseError)
}

extension ServerError {
  /// A `ServerError` is taken as it is. Of any other error it is assumed that the database at this place is the cause.
  init(_ error: any Error, at database: DatabaseLocation) {
    switch error {
    case let error as ServerError: self = error
    case let error as AliasOfOtherKind: self = .aliasOfOtherKind(error.alias)
    default: self = .database(database.failure(error))
    }
  }
}

/// Why a certificate and its key can't be used.
package enum CertificateProblem: Error, Hashable, Sendable {
  case cannotRead(path: String, reason: String)
  /// There is no certificate in the file.
  case notACertificate(path: String)
  /// There is no key in the file, or it is itself encrypted.
  case notAKey(path: String)
  case keyDoesNotFit(certificate: String, key: String)
}
