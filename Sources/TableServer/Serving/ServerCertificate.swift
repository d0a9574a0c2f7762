import Glibc
import NIOCore
import NIOSSL
import Synchronization
import TableProtocol

/// Where the server's certificate is, with those that prove it, and the key to it: files of PEM.
package struct CertificateFiles: Hashable, Sendable {
  package var certificate: String
  package var key: String

  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }
}

/// The certificate that the server shows. It is renewed while the server runs: connections that are open keep the old
/// one.
final class ServerCertificate: Sendable {
  private struct Shown: Sendable {
    let context: NIOSSLContext
    let term: CertificateTerm
  }

  let files: CertificateFiles
  private let shown: Mutex<Shown>

  init(_ files: CertificateFiles) throws(CertificateProblem) {
    self.files = files
    shown = Mutex(try Self.load(files))
  }

  /// The encryption of new connections.
  var context: NIOSSLContext { shown.withLock(\.context) }

  var term: CertificateTerm { shown.withLock(\.term) }

  /// Reads the files again. If that fails the certificate stays. It stays too if clients would refuse the new one for
  /// its dates, and not the old one: then the term of the new one is returned.
  func renew(at now: Timestamp) throws(CertificateProblem) -> CertificateTerm? {
    let renewed = try Self.load(files)
    return shown.withLock { shown in
      if renewed.term.isRefused(at: now), !shown.term.isRefused(at: now) { return renewed.term }
      shown = renewed
      return nil
    }
  }

  private static func load(_ files: CertificateFiles) throws(CertificateProblem) -> Shown {
    for path in [files.certificate, files.key] where access(path, R_OK) != 0 {
      throw .cannotRead(path: path, reason: String(cString: strerror(errno)).lowercased())
    }
    guard let chain = try? NIOSSLCertificate.fromPEMFile(files.certificate), let own = chain.first else {
      throw .notACertificate(path: files.certificate)
    }
    guard let key = try? NIOSSLPrivateKey(file: files.key, format: .pem) else { throw .notAKey(path: files.key) }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    // For a client that does not close its side.
    configuration.shutdownTimeout = .seconds(1)
    guard let context = try? NIOSSLContext(configuration: configuration) else {
      throw .keyDoesNotFit(certificate: files.certificate, key: files.key)
    }
    return Shown(context: context, term: CertificateTerm(of: own))
  }
}
