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
    "clients refuse it before and after its term, and 30 days before its end somebody should know",
    arguments: [
      (-1, .notYetValid), (0, .valid), (335 * Self.day, .valid), (335 * Self.day + 1, .endsSoon),
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
      let hand = ClockHand(Self.from.milliseconds)
      let (watch, figures) = try watched(file, Self.current, hand, log)
      watch.report()
      #expect(log.all == [])
      #expect(
        figures.text(connections: 0, streams: 0).contains("ebb_certificate_expires_timestamp_seconds 1798761600\n"))
      watch.renew()
      #expect(log.all.count == 1 && log.all[0].hasSuffix("is valid until 2027-01-01T00:00:00.000Z."))
      _ = try files(file, Self.former)
      watch.renew()
      #expect(log.all.count == 2 && log.all[1].contains("the old one stays"))
      hand.set(Self.until.milliseconds)
      watch.report()
      #expect(log.all.count == 3 && log.all[2].contains("renew it"))
    }
  }

  @Test("while the server runs its end is said once a day when it is near, when it comes, and once a day from then on")
  func daily() async throws {
    try await ServerDatabaseFile.use { file in
      let log = LogLines()
      let hand = ClockHand(Self.from.milliseconds)
      let (watch, _) = try watched(file, Self.current, hand, log)
      // So many milliseconds after the end, or before it: the number of lines after a look, and the last of them.
      func look(_ milliseconds: Int64) -> (count: Int, last: String) {
        hand.set(Self.until.milliseconds + milliseconds)
        watch.look()
        return (log.all.count, log.all.last ?? "")
      }
      for days in [300, 31, 30] as [Int64] { #expect(look(-days * Self.day).count == 0) }
      let near = 1 - 30 * Self.day
      #expect(look(near).count == 1)
      #expect(look(near).last.hasSuffix("is valid until \(Self.until.text), and no longer: renew it."))
      #expect(look(near + Self.day - 1).count == 1)
      #expect(look(near + Self.day).count == 2)
      #expect(look(-1).count == 3)
      #expect(look(0).count == 3, "it is still valid")
      #expect(look(1).count == 4)
      #expect(look(1).last.hasSuffix("has expired at \(Self.until.text): clients refuse it."))
      #expect(look(Self.day).count == 4)
      #expect(look(Self.day + 1).count == 5)
      #expect(look(0).count == 6, "the clock was put back to before the end")
      #expect(look(-1).count == 7, "and once more")
      #expect(look(-1).count == 7)
    }
  }

  @Test("one that was renewed is no news any more, until its own end is near")
  func renewedInTime() async throws {
    try await ServerDatabaseFile.use { file in
      let log = LogLines()
      let hand = ClockHand(Self.from.advanced(byMilliseconds: -Self.day).milliseconds)
      let (watch, _) = try watched(file, Self.former, hand, log)
      watch.look()
      #expect(log.all.count == 1 && log.all[0].contains("has expired"))
      _ = try files(file, Self.current)
      hand.set(Self.from.milliseconds)
      watch.renew()
      #expect(log.all.count == 2 && log.all[1].contains("was read again"))
      for days in [1, 2, 300] as [Int64] {
        hand.set(Self.from.advanced(byMilliseconds: days * Self.day).milliseconds)
        watch.look()
      }
      #expect(log.all.count == 2)
      hand.set(Self.until.milliseconds)
      watch.look()
      #expect(log.all.count == 3 && log.all[2].contains("renew it"))
    }
  }

  /// Writes the files of a server, and watches them with a log of all levels.
  private func watched(
    _ file: ServerDatabaseFile, _ pem: String, _ hand: ClockHand, _ log: LogLines
  ) throws -> (CertificateWatch, ServerFigures) {
    var logger = log.logger
    logger.logLevel = .info
    let figures = ServerFigures(logger, now: hand.clock())
    let certificate = try ServerCertificate(try files(file, pem))
    return (CertificateWatch(certificate, figures: figures, clock: hand.clock, logger: logger), figures)
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
