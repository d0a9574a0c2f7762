import Logging
import ServiceLifecycle
import UnixSignals

/// Reads certificate and keys again whenever the process gets SIGHUP.
struct FileRenewal: Service {
  /// Nil if the server speaks no TLS.
  let certificate: CertificateWatch?
  let signIn: JWTVerifier?
  let logger: Logger

  var isNeeded: Bool { certificate != nil || signIn != nil }

  func run() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
      certificate?.renew()
      if let signIn { await renew(signIn) }
    }
  }

  private func renew(_ signIn: JWTVerifier) async {
    do throws(KeyFileProblem) {
      try await signIn.renew()
      logger.notice("The keys of the sign-in were read again.")
    } catch {
      logger.error("The keys of the sign-in were not read again, the old ones stay: \(error.logLine).")
    }
  }
}

extension KeyFileProblem {
  /// The words for the log.
  fileprivate var logLine: String {
    switch self {
    case .cannotRead(let path, let reason): "\(path) can't be read (\(reason))"
    case .noKey(let path): "\(path) holds no key that can be used"
    }
  }
}
