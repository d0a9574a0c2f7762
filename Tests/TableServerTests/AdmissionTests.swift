import HTTPTypes
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("Who is let in")
struct AdmissionTests {
  enum Shown: CaseIterable, Sendable {
    case nothing, unknown, valid, revoked, expired, expiring, reading, feeding, measuring
  }

  private static let now = Timestamp(milliseconds: 1_000)

  private func grant(_ shown: Shown) throws -> Grant? {
    var grant = Grant(id: "1", user: try #require(UserName("anna")), createdAt: .epoch)
    switch shown {
    case .nothing, .unknown: return nil
    case .valid: break
    case .revoked: grant.isRevoked = true
    case .expired: grant.expiresAt = Self.now
    case .expiring: grant.expiresAt = Self.now.advanced(byMilliseconds: 1)
    case .reading: grant.scope = .read
    case .feeding: grant.scope = .feed
    case .measuring: grant.scope = .metrics
    }
    return grant
  }

  private func expected(_ shown: Shown, needsToken: Bool, writes: Bool) throws -> Admission {
    let anna = Admission.user(try #require(UserName("anna")))
    switch shown {
    case .nothing: return needsToken ? .refused(.noToken) : .anyone
    case .unknown: return needsToken ? .refused(.wrongToken) : .anyone
    case .valid, .expiring: return anna
    case .revoked: return .refused(.wrongToken)
    case .expired: return .refused(.expiredToken)
    case .reading: return writes ? .refused(.scope(.read)) : anna
    case .feeding: return .refused(.scope(.feed))
    case .measuring: return .refused(.scope(.metrics))
    }
  }

  @Test("every kind of token, on a server that needs one and on one that does not", arguments: Shown.allCases)
  func all(shown: Shown) throws {
    for needsToken in [false, true] {
      for writes in [false, true] {
        let admission = Admission.decide(
          showsToken: shown != .nothing, grant: try grant(shown), needsToken: needsToken, writes: writes, now: Self.now)
        #expect(
          try admission == expected(shown, needsToken: needsToken, writes: writes),
          "needs a token: \(needsToken), writes: \(writes)")
      }
    }
  }

  @Test("a token is read from either header, whatever spaces are round it")
  func headers() {
    func token(_ fields: [(Header, String)], authorization: String? = nil) -> String? {
      var request = TableRequest(method: .get, target: "/")
      for (header, value) in fields { request.headers[header] = value }
      request.headers[.authorization] = authorization
      return request.headers.token
    }
    #expect(token([]) == nil)
    #expect(token([(.authentication, "a.b")]) == "a.b")
    #expect(token([], authorization: "Bearer a.b") == "a.b")
    #expect(token([], authorization: "bearer   a.b ") == "a.b")
    #expect(token([], authorization: "Basic YTpi") == nil)
    #expect(token([], authorization: "Bearer") == nil)
    #expect(token([], authorization: "Bearer ") == nil)
    #expect(token([(.authentication, "old")], authorization: "Bearer new") == "new")
  }

  @Test("a token is made of what nobody can guess, and known by its beginning")
  func tokens() {
    let tokens = (0..<1_000).map { _ in AccessToken() }
    #expect(Set(tokens).count == 1_000)
    for token in tokens {
      #expect(token.text.hasPrefix("ebb_") && token.text.utf8.count == 47)
      #expect(token.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }
    #expect(TokenDigest(of: "abc").id == "ba7816bf")
  }

  @Test("after ten wrong tokens in a minute an address waits until the minute is over; others do not")
  func attempts() {
    let attempts = WrongAttempts()
    func note(_ address: String = "1.2.3.4", at seconds: Int64) -> Int? {
      attempts.note(address, at: Timestamp(milliseconds: seconds * 1_000))
    }
    for second: Int64 in 0..<10 { #expect(note(at: second) == nil) }
    #expect(note(at: 10) == 50)
    #expect(note("5.6.7.8", at: 10) == nil)
    #expect(note(at: 59) == 1)
    #expect(note(at: 60) == nil)
    #expect(note(at: 5) == nil, "a clock that steps back locks nobody out")
  }

  @Test("the name of a user has no space and no control character", arguments: ["", " ", "a b", "a\n", "é", "a\u{7F}"])
  func names(text: String) {
    #expect(UserName(text) == nil)
    #expect(UserName("anna@example.org")?.text == "anna@example.org")
    #expect(UserName(String(repeating: "a", count: 256)) == nil)
  }
}
