import NIOSSL
import TableProtocol

/// From when until when a certificate is valid (RFC 5280, 4.1.2.5).
struct CertificateTerm: Hashable, Sendable {
  /// Before the end, in milliseconds: a certificate that is not renewed by then may never be. Of a short term it is a
  /// third.
  private static let longestNotice: Int64 = 30 * 86_400_000

  let from: Timestamp
  let until: Timestamp

  enum State: Hashable, Sendable {
    case notYetValid, valid, endsSoon, expired
  }

  func state(at now: Timestamp) -> State {
    if until < now { return .expired }
    if now < from { return .notYetValid }
    let notice = min(Self.longestNotice, (until.milliseconds - from.milliseconds) / 3)
    return until.milliseconds - now.milliseconds < notice ? .endsSoon : .valid
  }

  /// True if clients refuse the certificate for its dates.
  func isRefused(at now: Timestamp) -> Bool {
    switch state(at: now) {
    case .notYetValid, .expired: true
    case .valid, .endsSoon: false
    }
  }

  /// The words for the log if clients refuse the certificate in that file, or soon will. Nil if all is well.
  func warning(about path: String, at now: Timestamp) -> String? {
    switch state(at: now) {
    case .notYetValid: "The certificate \(path) is not valid before \(from.text): clients refuse it."
    case .valid: nil
    case .endsSoon: "The certificate \(path) is valid until \(until.text), and no longer: renew it."
    case .expired: "The certificate \(path) has expired at \(until.text): clients refuse it."
    }
  }
}

extension CertificateTerm {
  init(of certificate: NIOSSLCertificate) {
    from = Timestamp(milliseconds: Int64(certificate.notValidBefore) * 1_000)
    until = Timestamp(milliseconds: Int64(certificate.notValidAfter) * 1_000)
  }
}
