import FoundationEssentials
import Logging
import StorageSupport
import TableProtocol
import Testing

@testable import TableServer

@Suite("A certificate has a term, which the server watches")
struct CertificateTests {
  private static let day: Int64 = 86_400_000
  /// The beginning of 2026, and of the certificate.
  private static let from = Timestamp(milliseconds: 1_767_225_600_000)
  /// The beginning of 2027, and its end.
  private static let until = Timestamp(milliseconds: 1_798_761_600_000)

  @Test(
    "clients refuse it before and after its term, and two weeks before its end somebody should know",
    arguments: [
      (-1, .notYetValid), (0, .valid), (351 * Self.day, .valid), (351 * Self.day + 1, .endsSoon),
      (365 * Self.day, .endsSoon), (365 * Self.day + 1, .expired),
    ] as [(Int64, CertificateTerm.State)])
  func states(milliseconds: Int64, state: CertificateTerm.State) {
    let term = CertificateTerm(from: Self.from, until: Self.until)
    let now = Self.from.advanced(byMilliseconds: milliseconds)
    #expect(term.state(at: now) == state)
    #expect((term.warning(about: "/a", at: now) == nil) == (state == .valid))
  }

  @Test("of a short term the notice is a third: one that is renewed each day is no news")
  func shortTerm() {
    let term = CertificateTerm(from: Self.from, until: Self.from.advanced(byMilliseconds: 6 * Self.day))
    #expect(term.state(at: Self.from.advanced(byMilliseconds: 4 * Self.day)) == .valid)
    #expect(term.state(at: Self.from.advanced(byMilliseconds: 4 * Self.day + 1)) == .endsSoon)
  }

  /// Writes the files of a server.
  private func files(_ file: ServerDatabaseFile, _ certificate: String) throws -> CertificateFiles {
    let (path, key) = (file.folder.appending(path: "server.pem"), file.folder.appending(path: "server.key"))
    try Data(certificate.utf8).write(to: path)
    try Data(Self.key.utf8).write(to: key)
    return CertificateFiles(certificate: path.path, key: key.path)
  }

  @Test("one that clients refuse for its dates does not replace one that they take; any other does")
  func renewal() async throws {
    try await ServerDatabaseFile.use { file in
      let now = Self.from
      let certificate = try ServerCertificate(try files(file, Self.current))
      #expect(certificate.term == CertificateTerm(from: Self.from, until: Self.until))
      _ = try files(file, Self.former)
      let refused = try certificate.renew(at: now)
      #expect(refused?.state(at: now) == .expired && certificate.term.until == Self.until)
      let later = Self.until.advanced(byMilliseconds: 1)
      #expect(try certificate.renew(at: later) == nil && certificate.term == refused, "both have expired")
      _ = try files(file, Self.current)
      #expect(try certificate.renew(at: now) == nil && certificate.term.until == Self.until)
      let former = try #require(refused)
      _ = try files(file, Self.former)
      #expect(try certificate.renew(at: former.from) == nil && certificate.term == former)
      _ = try files(file, Self.current)
      #expect(try certificate.renew(at: former.from)?.state(at: former.from) == .notYetValid)
      #expect(certificate.term == former)
    }
  }

  @Test("its end is a figure, a renewal has a line with it, and an end that is near or past is said at the start too")
  func report() async throws {
    try await ServerDatabaseFile.use { file in
      let log = LogLines()
      var logger = log.logger
      logger.logLevel = .info
      let hand = ClockHand(Self.from.milliseconds)
      let certificate = try ServerCertificate(try files(file, Self.current))
      let figures = ServerFigures(logger, now: hand.clock())
      let renewal = FileRenewal(
        certificate: certificate, signIn: nil, figures: figures, clock: hand.clock, logger: logger)
      renewal.reportTerm()
      #expect(log.all == [])
      #expect(
        figures.text(connections: 0, streams: 0).contains("ebb_certificate_expires_timestamp_seconds 1798761600\n"))
      renewal.renew(certificate)
      #expect(log.all.count == 1 && log.all[0].hasSuffix("is valid until 2027-01-01T00:00:00.000Z."))
      _ = try files(file, Self.former)
      renewal.renew(certificate)
      #expect(log.all.count == 2 && log.all[1].contains("the old one stays"))
      hand.set(Self.until.milliseconds)
      renewal.reportTerm()
      #expect(log.all.count == 3 && log.all[2].contains("renew it"))
    }
  }
}

/// Certificates that were made for these tests, with one key, and are used for nothing else.
extension CertificateTests {
  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQYS2TFYtzNorkRmG
    hoQDHShCJltEYafb0wDpQPISD9yhRANCAATR5oHv8b+2vP1e2BjaoXC0Ae6J1Rya
    w8eMryjoDkRJB5R0u+CXuime9roQEAykMBr9BJRv57nKyYz9znkqGqUT
    -----END PRIVATE KEY-----
    """

  private static let current = """
    -----BEGIN CERTIFICATE-----
    MIIBODCB36ADAgECAgEBMAoGCCqGSM49BAMCMA8xDTALBgNVBAMMBHRlc3QwHhcN
    MjYwMTAxMDAwMDAwWhcNMjcwMTAxMDAwMDAwWjAPMQ0wCwYDVQQDDAR0ZXN0MFkw
    EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0eaB7/G/trz9XtgY2qFwtAHuidUcmsPH
    jK8o6A5ESQeUdLvgl7opnva6EBAMpDAa/QSUb+e5ysmM/c55KhqlE6MsMCowCQYD
    VR0TBAIwADAdBgNVHQ4EFgQUqkMx8IrHUxqv55bry/3RBGQnYb0wCgYIKoZIzj0E
    AwIDSAAwRQIgKZjOtdfOtCp2xo0qPTG60EakiJphi9MxkaXzDvg+L7MCIQC5rOCU
    jku4ZJWrei04HpfqCXJaB8MVVjpO66sxVEfG3g==
    -----END CERTIFICATE-----
    """

  private static let former = """
    -----BEGIN CERTIFICATE-----
    MIIBNzCB36ADAgECAgEBMAoGCCqGSM49BAMCMA8xDTALBgNVBAMMBHRlc3QwHhcN
    MjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAPMQ0wCwYDVQQDDAR0ZXN0MFkw
    EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0eaB7/G/trz9XtgY2qFwtAHuidUcmsPH
    jK8o6A5ESQeUdLvgl7opnva6EBAMpDAa/QSUb+e5ysmM/c55KhqlE6MsMCowCQYD
    VR0TBAIwADAdBgNVHQ4EFgQUqkMx8IrHUxqv55bry/3RBGQnYb0wCgYIKoZIzj0E
    AwIDRwAwRAIgAR2YMo7TO8AO+d5HXVQBgrSyZhZ/RskNTBYfJwPP57kCIBODXxYc
    DmuZQ2gzGQTpaJkKXx5oWl1tveoocOHQqVj1
    -----END CERTIFICATE-----
    """
}
