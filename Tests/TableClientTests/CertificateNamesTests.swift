import Foundation
import Testing

@testable import TableClient

@Suite("The names in a certificate")
struct CertificateNamesTests {
  /// OpenSSL made it: "Ebb tests" signed it for "server".
  private static let certificate = """
    MIIBIDCBxgIUC/HT6ie7CC9/wOM+XUt7R00Pi4swCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJRWJiIHRlc3RzMB4XDTI2MTEyOTEx\
    MTIwMFoXDTI2MTEzMDExMTIwMFowETEPMA0GA1UEAwwGc2VydmVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEDp3LkXFKi3aM\
    xpgYALsAOpWQFq84RC8Y+2X5qjHVuDOMvkWMk2/cO0IZwekBwTVc3WOXTOMJVihv5zm2uMLp3zAKBggqhkjOPQQDAgNJADBGAiEA\
    qbEsAF8w6w9s4iroxwDi4TDfOn5cccfzvvpFoA2onVcCIQCiqDR3yOmXss8VxSmahBV3tAHCUJwyXeDyOSO+NUEfLA==
    """

  private func bytes() throws -> [UInt8] { Array(try #require(Data(base64Encoded: Self.certificate))) }

  @Test("are those of its issuer and of its subject")
  func names() throws {
    let names = try #require(CertificateNames(der: try bytes()))
    #expect(String(decoding: names.issuer, as: UTF8.self).hasSuffix("Ebb tests"))
    #expect(String(decoding: names.subject, as: UTF8.self).hasSuffix("server"))
  }

  @Test("are in no part of it")
  func cut() throws {
    let whole = try bytes()
    for count in whole.indices { #expect(CertificateNames(der: Array(whole.prefix(count))) == nil, "\(count)") }
  }

  @Test("are looked for in whatever bytes a server sends")
  func hostile() throws {
    let whole = try bytes()
    for place in whole.indices {
      for byte in [0x00, 0x30, 0x7F, 0x80, 0x84, 0xFF] as [UInt8] {
        var other = whole
        other[place] = byte
        let names = CertificateNames(der: other)
        #expect((names?.issuer.count ?? 0) + (names?.subject.count ?? 0) <= whole.count)
      }
    }
  }
}
