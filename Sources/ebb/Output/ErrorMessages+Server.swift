import TableServer
import TableStorage
import Words

/// Why `ebb serve` and its commands can't begin or go on, and what to do. The paths and names in these sentences come
/// from outside: `sentence(for:)` takes out of each sentence what would steer the terminal.
extension ErrorMessages {
  static func sentence(ofServer error: ServerError, _ host: String) -> String {
    switch error {
    case .portInUse(let port): catalogue.text(.servePortInUse, ["port": String(port)])
    case .portNotAllowed(let port): catalogue.text(.servePortNotAllowed, ["port": String(port)])
    case .hostNotUsable(let host): catalogue.text(.serveHostNotUsable, ["host": host])
    case .cannotListen(let reason): catalogue.text(.serveCannotListen, ["host": host, "reason": said(reason)])
    case .certificate(let problem): sentence(ofCertificate: problem)
    case .signIn(.cannotRead(let path, let reason)):
      catalogue.text(.serveKeysCannotBeRead, ["path": path, "reason": said(reason)])
    case .signIn(.noKey(let path)): catalogue.text(.serveNoSignInKey, ["path": path])
    case .socketPathTooLong(let path): catalogue.text(.serveSocketPathTooLong, ["path": path])
    case .notASocket(let path): catalogue.text(.serveNotASocket, ["path": path])
    case .socketInUse(let path): catalogue.text(.serveSocketInUse, ["path": path])
    case .socketFailed(let path, let reason):
      catalogue.text(.serveSocketFailed, ["path": path, "reason": said(reason)])
    case .addressUnknown: catalogue.text(.serveAddressUnknown)
    case .addressOfNoneUnknown(let path): catalogue.text(.serveAddressOfNoneUnknown, ["path": path])
    case .noTokenGiven(let host, let database):
      catalogue.text(.serveNoTokenGiven, ["host": host, "argument": database.shellWord])
    case .noTokenGivenBehindProxy(let database):
      catalogue.text(.serveNoTokenGivenBehindProxy, ["argument": database.shellWord])
    case .aliasHides(let hidden, let path): hidden.sentence(.serveAliasHides, path: path)
    case .aliasDiffers(let kept, let path):
      catalogue.text(.serveAliasDiffers, ["kept": kept, "path": path, "argument": path.shellWord])
    case .aliasOfOtherKind(let alias): catalogue.text(.serveAliasOfOtherKind, ["alias": alias])
    case .database(let error): sentence(ofDatabase: error)
    }
  }

  private static func sentence(ofCertificate problem: CertificateProblem) -> String {
    switch problem {
    case .cannotRead(let path, let reason): catalogue.text(.serveCannotRead, ["path": path, "reason": said(reason)])
    case .notACertificate(let path): catalogue.text(.serveNotACertificate, ["path": path])
    case .notAKey(let path): catalogue.text(.serveNotAKey, ["path": path])
    case .keyDoesNotFit(let certificate, let key):
      catalogue.text(.serveKeyDoesNotFit, ["certificate": certificate, "key": key])
    }
  }
}
