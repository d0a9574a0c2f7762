import Logging
import ServiceLifecycle
import Synchronization
import TableProtocol

/// Logs if clients refuse the certificate for its dates, or soon will: at the start and at each renewal; while the
/// server runs once a day, and at the moment from which they do.
final class CertificateWatch: Service {
  /// Between two looks, by a clock that nobody can set.
  private static let pause = Duration.seconds(60)
  /// Between two lines that say the same, in milliseconds.
  private static let day: Int64 = 86_400_000

  let certificate: ServerCertificate
  private let figures: ServerFigures
  private let clock: @Sendable () -> Timestamp
  private let logger: Logger
  private let last = Mutex<Report?>(nil)

  private struct Report {
    let state: CertificateTerm.State
    let moment: Timestamp
  }

  init(
    _ certificate: ServerCertificate, figures: ServerFigures, clock: @escaping @Sendable () -> Timestamp, logger: Logger
  ) {
    self.certificate = certificate
    self.figures = figures
    self.clock = clock
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      while (try? await Task.sleep(for: Self.pause)) != nil { look() }
    }
  }

  /// Reports if there is something else to say than the last time, or if that was a day ago. A clock that was put back
  /// begins another day.
  func look() {
    let now = clock()
    let state = certificate.term.state(at: now)
    let isDue = last.withLock { last -> Bool in
      guard let last, last.state == state else { return true }
      return now < last.moment || last.moment.advanced(byMilliseconds: Self.day) <= now
    }
    if isDue { report() }
  }

  /// Keeps the end of the certificate as a figure. Logs if clients refuse it, or soon will.
  func report() {
    let (term, now) = (certificate.term, clock())
    figures.noteCertificate(until: term.until)
    last.withLock { $0 = Report(state: term.state(at: now), moment: now) }
    if let warning = term.warning(about: certificate.files.certificate, at: now) { logger.error("\(warning)") }
  }

  /// Reads the files of the certificate again, and logs the outcome.
  func renew() {
    do throws(CertificateProblem) {
      let now = clock()
      if let refused = try certificate.renew(at: now) {
        let reason = refused.warning(about: certificate.files.certificate, at: now) ?? ""
        logger.error("The certificate was not renewed, the old one stays. \(reason)")
      } else {
        logger.notice("The certificate was read again, and is valid until \(certificate.term.until.text).")
      }
    } catch {
      logger.error("The certificate was not read again, the old one stays: \(error.logLine).")
    }
    report()
  }
}

extension CertificateProblem {
  /// The words for the log.
  fileprivate var logLine: String {
    switch self {
    case .cannotRead(let path, let reason): "\(path) can't be read (\(reason))"
    case .notACertificate(let path): "\(path) holds no certificate"
    case .notAKey(let path): "\(path) holds no key without a password"
    case .keyDoesNotFit(let certificate, let key): "the key \(key) does not belong to \(certificate)"
    }
  }
}
