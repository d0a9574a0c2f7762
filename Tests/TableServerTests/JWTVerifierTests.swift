import FoundationEssentials
import JWTKit
import StorageSupport
import Synchronization
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("Tokens of an existing sign-in")
struct JWTVerifierTests {
  private static let now = Timestamp(milliseconds: 1_800_000_000_000)
  private static let second = 1_800_000_000.0

  /// What a test's sign-in says; what is nil is left out.
  private struct Claims: JWTPayload {
    var iss: String? = "https://id.example"
    var aud: [String]? = ["ebb", "other"]
    var sub: String? = "anna@example.org"
    var exp: Double? = JWTVerifierTests.second + 3_600
    var nbf: Double?

    func verify(using algorithm: some JWTAlgorithm) {}
  }

  private func configuration(_ file: ServerDatabaseFile, _ keys: String) throws -> SignInConfiguration {
    let path = file.folder.appending(path: "keys").path
    try Data(keys.utf8).write(to: URL(filePath: path))
    return SignInConfiguration(issuer: "https://id.example", audience: "ebb", keys: path)
  }

  private func token(_ key: ES256PrivateKey, _ claims: Claims = Claims(), named name: String? = nil) async throws
    -> String
  {
    let keys = JWTKeyCollection()
    await keys.add(ecdsa: key, kid: name.map(JWKIdentifier.init(string:)))
    return try await keys.sign(claims, kid: name.map(JWKIdentifier.init(string:)))
  }

  private func jwks(_ keys: [(name: String?, key: ES256PrivateKey)], algorithm: String? = "ES256") throws -> String {
    let algorithm = algorithm.map { #""alg":"\#($0)","# } ?? ""
    let members = try keys.map { name, key in
      let point = try #require(key.publicKey.parameters)
      func plain(_ text: String) -> String {
        text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      }
      let kid = name.map { #""kid":"\#($0)","# } ?? ""
      return #"{"kty":"EC","crv":"P-256",\#(algorithm)\#(kid)"x":"\#(plain(point.x))","y":"\#(plain(point.y))"}"#
    }
    return #"{"keys":[\#(members.joined(separator: ","))]}"#
  }

  @Test("the subject of a signed one that is for this server is its user, whatever form the keys have")
  func accepted() async throws {
    try await ServerDatabaseFile.use { file in
      let (key, other) = (ES256PrivateKey(), ES256PrivateKey())
      let anna = try #require(UserName("anna@example.org"))
      let until = Timestamp(milliseconds: 1_800_003_660_000)
      for keys in [
        key.publicKey.pemRepresentation, other.publicKey.pemRepresentation + "\n" + key.publicKey.pemRepresentation,
        try jwks([("b", other), ("a", key)]), try jwks([(nil, other), (nil, key)]),
      ] {
        let signIn = try await JWTVerifier(configuration(file, keys))
        for name in ["a", nil] {
          let token = try await token(key, named: name)
          #expect(JWTVerifier.isSigned(token))
          #expect(await signIn.judge(token, at: Self.now) == .user(anna, until: until), "\(keys)")
        }
      }
    }
  }

  @Test("one that says something else, says too little, or is too early or late is refused; a minute is forgiven")
  func claims() async throws {
    try await ServerDatabaseFile.use { file in
      let key = ES256PrivateKey()
      let signIn = try await JWTVerifier(configuration(file, key.publicKey.pemRepresentation))
      func verdict(_ change: (inout Claims) -> Void) async throws -> JWTVerifier.Verdict {
        var claims = Claims()
        change(&claims)
        return await signIn.judge(try await token(key, claims), at: Self.now)
      }
      let wrong: KeyValuePairs<TokenFlaw, [@Sendable (inout Claims) -> Void]> = [
        .issuer: [{ $0.iss = "https://id.example/" }, { $0.iss = nil }],
        .audience: [{ $0.aud = ["other"] }, { $0.aud = [] }, { $0.aud = nil }],
        .subject: [{ $0.sub = nil }, { $0.sub = "" }, { $0.sub = "a b" }],
        .time: [{ $0.exp = -1 }, { $0.exp = 1e300 }, { $0.nbf = -1 }, { $0.nbf = 1e300 }],
        .end: [{ $0.exp = nil }],
        .start: [{ $0.nbf = Self.second + 61 }],
      ]
      for (flaw, changes) in wrong {
        for change in changes { #expect(try await verdict(change) == .wrong(flaw)) }
      }
      #expect(try await verdict { $0.exp = Self.second - 60 } == .expired)
      for change in [
        { $0.exp = Self.second - 59 }, { $0.nbf = Self.second + 59 }, { $0.nbf = 0 }, { $0.exp = Self.second + 0.5 },
      ] as [@Sendable (inout Claims) -> Void] {
        guard case .user = try await verdict(change) else {
          Issue.record("refused")
          continue
        }
      }
    }
  }

  /// Its end is no number.
  private struct OddClaims: JWTPayload {
    var exp = "tomorrow"

    func verify(using algorithm: some JWTAlgorithm) {}
  }

  @Test("one with a claim of another kind is refused, and each reason has words of its own for the log")
  func reasons() async throws {
    try await ServerDatabaseFile.use { file in
      let key = ES256PrivateKey()
      let signIn = try await JWTVerifier(configuration(file, key.publicKey.pemRepresentation))
      let keys = JWTKeyCollection()
      await keys.add(ecdsa: key)
      #expect(await signIn.judge(try await keys.sign(OddClaims()), at: Self.now) == .wrong(.claims))
    }
    let words = TokenFlaw.allCases.map(\.words)
    #expect(Set(words).count == words.count && words.allSatisfy { !$0.isEmpty })
  }

  @Test("one in which a name is there twice is refused: programs differ on which of the two counts")
  func repeatedNames() {
    let parts = [#"{"sub":"a","exp":1}"#: true, #"{"sub":"a","sub":"b"}"#: false, #"["sub"]"#: false, "{": false]
    for (json, isSound) in parts {
      let part = Data(json.utf8).base64EncodedString().replacing("=", with: "")
      #expect(JWTVerifier.hasEachNameOnce(part[...]) == isSound, "\(json)")
    }
  }

  @Test(
    "one that is not signed, is signed by another, or is changed is refused, and nothing that looks like one does harm")
  func forged() async throws {
    try await ServerDatabaseFile.use { file in
      let key = ES256PrivateKey()
      let signIn = try await JWTVerifier(configuration(file, key.publicKey.pemRepresentation))
      let good = try await token(key)
      let parts = good.split(separator: ".").map(String.init)
      let header = Data(#"{"alg":"none"}"#.utf8).base64EncodedString().replacing("=", with: "")
      let named = Data(#"{"alg":"HS256"}"#.utf8).base64EncodedString().replacing("=", with: "")
      let stranger = try await token(ES256PrivateKey())
      for (token, flaw) in [
        ("\(header).\(parts[1]).", .unsigned), ("\(header).\(parts[1]).\(parts[2])", .unsigned),
        ("\(named).\(parts[1]).\(parts[2])", .algorithm), (stranger, .signature),
        ("\(parts[0]).\(parts[1]).", .signature), ("\(parts[0]).\(parts[1]).AAAA", .signature),
        ("\(parts[0])..\(parts[2])", .names), ("..", .form), ("a.b.c", .form), ("é.é.é", .form),
        (String(repeating: "a", count: 20_000) + "..", .form),
      ] as [(String, TokenFlaw)] {
        #expect(await signIn.judge(token, at: Self.now) == .wrong(flaw), "\(token.prefix(60))")
      }
      #expect(await signIn.judge("\(parts[0]).\(parts[1])x.\(parts[2])", at: Self.now).isWrong)
      for token in ["", "a.b", "a.b.c.d", "ebb_a.b.c", AccessToken().text] { #expect(!JWTVerifier.isSigned(token)) }
    }
  }

  @Test("one that names another algorithm than its key's, or an extension that must be known, is refused")
  func headers() async throws {
    try await ServerDatabaseFile.use { file in
      let key = ES256PrivateKey()
      for keys in [key.publicKey.pemRepresentation, try jwks([("a", key)]), try jwks([(nil, key)], algorithm: nil)] {
        let signIn = try await JWTVerifier(configuration(file, keys))
        let collection = JWTKeyCollection()
        await collection.add(ecdsa: key)
        for header in [
          ["alg": "ES384"], ["alg": "RS256"], ["alg": "EdDSA"], ["alg": "none"], ["alg": "es256"],
          ["alg": "ES256", "crit": ["exp"]], ["alg": "ES256", "crit": .array([])], ["alg": "ES256", "crit": .null],
        ] as [JWTHeader] {
          let token = try await collection.sign(Claims(), header: header)
          let verdict = await signIn.judge(token, at: Self.now)
          #expect(verdict.isWrong && (verdict == .wrong(.extensions)) == (header.fields["crit"] != nil), "\(header)")
        }
        let token = try await token(key)
        #expect(await signIn.judge(token + "=", at: Self.now) == .wrong(.form))
        guard case .user = await signIn.judge(token, at: Self.now) else {
          Issue.record("refused after the others: \(keys)")
          continue
        }
      }
    }
  }

  @Test("a token that names an algorithm at random does not take its key away from the right ones")
  func foreignAlgorithm() async throws {
    try await ServerDatabaseFile.use { file in
      let key = try Insecure.RSA.PrivateKey(pem: Self.privateKey)
      let collection = JWTKeyCollection()
      await collection.add(rsa: key, digestAlgorithm: .sha256)
      let numbers = try key.publicKey.getKeyPrimitives()
      let (modulus, exponent) = (Base64URL.encode(numbers.modulus), Base64URL.encode(numbers.publicExponent))
      let keys = #"{"keys":[{"kty":"RSA","kid":"a","n":"\#(modulus)","e":"\#(exponent)"}]}"#
      let signIn = try await JWTVerifier(configuration(file, keys))
      let named = try await collection.sign(Claims(), header: ["alg": "RS512", "kid": "a"])
      #expect(await signIn.judge(named, at: Self.now).isWrong)
      let right = try await collection.sign(Claims(), header: ["kid": "a"])
      guard case .user = await signIn.judge(right, at: Self.now) else {
        Issue.record("refused")
        return
      }
    }
  }

  @Test("keys that are shared or not understood do the others no harm, and a line names them without what steers a log")
  func strangeKeys() async throws {
    try await ServerDatabaseFile.use { file in
      let key = ES256PrivateKey()
      let strange = [
        #"{"kty":"oct","kid":"shared","k":"c2VjcmV0"}"#,
        #"{"kty":"EC","crv":"secp256k1","kid":"a\n\"b\u001b","x":"AA","y":"AA"}"#, "5",
      ].joined(separator: ",")
      let keys = try jwks([("good", key)]).replacing("[{", with: "[\(strange),{")
      let configuration = try configuration(file, keys)
      let signIn = try await JWTVerifier(configuration)
      let lines = Mutex([String]())
      signIn.report { line in lines.withLock { $0.append(line) } }
      let named = #": 3 ("shared", "a?\"b?", without a name)"#
      let said = lines.withLock(\.self)
      #expect(said.count == 1 && said[0].hasSuffix(named), "\(said)")
      #expect(await !signIn.judge(try await token(key, named: "good"), at: Self.now).isWrong)
      try await signIn.renew()
      #expect(lines.withLock(\.count) == 2)
      try Data("{\"keys\":[\(strange)]}".utf8).write(to: URL(filePath: configuration.keys))
      await #expect(throws: KeyFileProblem.noKey(path: configuration.keys)) { try await signIn.renew() }
    }
  }

  @Test(
    "a key that is not for signatures lets nobody in",
    arguments: [
      (#""use":"sig""#, true), (#""use":"enc""#, false), (#""use":5"#, false), (#""key_ops":["verify"]"#, true),
      (#""key_ops":["encrypt"]"#, false), (#""key_ops":[]"#, false), (#""use":"sig","key_ops":["sign"]"#, false),
    ] as [(String, Bool)])
  func purposes(member: String, isTaken: Bool) async throws {
    try await ServerDatabaseFile.use { file in
      let (key, other) = (ES256PrivateKey(), ES256PrivateKey())
      let keys = try jwks([(nil, other), ("a", key)]).replacing(#""kid":"a""#, with: #""kid":"a",\#(member)"#)
      let signIn = try await JWTVerifier(configuration(file, keys))
      let verdict = await signIn.judge(try await token(key, named: "a"), at: Self.now)
      #expect(verdict.isWrong == !isTaken)
    }
  }

  @Test("a token that names a key of the file is judged by that one, and one that names none by all of them")
  func namedKeys() async throws {
    try await ServerDatabaseFile.use { file in
      let (key, other) = (ES256PrivateKey(), ES256PrivateKey())
      let signIn = try await JWTVerifier(configuration(file, try jwks([("b", other), ("a", key)])))
      for (name, isTaken) in [("a", true), ("b", false), ("c", true), (nil, true)] as [(String?, Bool)] {
        let verdict = await signIn.judge(try await token(key, named: name), at: Self.now)
        #expect(verdict.isWrong == !isTaken, "\(name ?? "none")")
      }
    }
  }

  @Test("keys are read again; a file without any is refused, and the old ones stay")
  func renewal() async throws {
    try await ServerDatabaseFile.use { file in
      let (old, new) = (ES256PrivateKey(), ES256PrivateKey())
      let configuration = try configuration(file, old.publicKey.pemRepresentation)
      let signIn = try await JWTVerifier(configuration)
      for nothing in ["", "{}", #"{"keys":[]}"#, #"{"keys":[{"kty":"EC"}]}"#, "-----BEGIN PUBLIC KEY-----\nAA\n"] {
        try Data(nothing.utf8).write(to: URL(filePath: configuration.keys))
        await #expect(throws: KeyFileProblem.noKey(path: configuration.keys)) { try await signIn.renew() }
      }
      #expect(await signIn.judge(try await token(new), at: Self.now) == .wrong(.signature))
      guard case .user = await signIn.judge(try await token(old), at: Self.now) else {
        Issue.record("the old key is gone")
        return
      }
      try Data(new.publicKey.pemRepresentation.utf8).write(to: URL(filePath: configuration.keys))
      try await signIn.renew()
      #expect(await signIn.judge(try await token(old), at: Self.now) == .wrong(.signature))
      guard case .user = await signIn.judge(try await token(new), at: Self.now) else {
        Issue.record("the new key is not known")
        return
      }
    }
  }

  @Test(
    "a server with one lets in its users, each to their own lists, beside those with tokens of its own, and nobody else"
  )
  func server() async throws {
    try await ServerDatabaseFile.use { file in
      let key = ES256PrivateKey()
      let signIn = try configuration(file, key.publicKey.pemRepresentation)
      let (anna, ben) = (try await token(key), try await token(key, Claims(sub: "ben")))
      let tokens = try ServerTokens(database: file.path, makesDatabase: true, clock: TestServer.systemClock)
      let own = try tokens.add(try #require(UserName("ben")), label: "", scope: .sync, days: nil).token.text
      tokens.close()
      let log = LogLines()
      try await TestServer.run(
        databasePath: file.path, clock: TestServer.clock(standingAt: Self.now.milliseconds), signIn: signIn,
        logger: log.logger
      ) { server async throws in
        func ask(_ verb: Verb, _ token: String?, body: String? = nil) async throws -> Answer {
          let header = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
          return try await server.send(verb, "/tables/TodoItem", nil, header, body: body)
        }
        #expect(try await ask(.get, nil).status == 401)
        #expect(try await ask(.post, anna, body: #"{"id":"a"}"#).status == 201)
        #expect(try await ask(.post, ben, body: #"{"id":"b"}"#).status == 201)
        #expect(try await ask(.get, anna).list.items.map(\.id) == ["a"])
        #expect(try await ask(.get, own).list.items.map(\.id) == ["b"], "the user is the same")
        #expect(try await ask(.get, try await token(ES256PrivateKey())).status == 401)
        #expect(try await ask(.get, try await token(key, Claims(exp: 1))).text.contains("expired"))
        #expect(log.all.count == 1 && log.all[0].hasSuffix("Wrong token from 127.0.0.1"))
        #expect(log.withDetails.first?.contains(TokenFlaw.signature.words) == true, "the answer does not say it")
      }
    }
  }
}

extension JWTVerifier.Verdict {
  fileprivate var isWrong: Bool {
    switch self {
    case .wrong: true
    case .user, .expired: false
    }
  }
}

/// A key of RSA that was made for these tests, and is used for nothing else.
extension JWTVerifierTests {
  private static let privateKey = """
    -----BEGIN PRIVATE KEY-----
    MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDRXjai19S2e7xL
    cP6rVywJcfFWXQNM+L713kJYK7xj4XFw6hAXeaE4UTjoq91N/10LFqZwbJ8cBrg1
    D6YXH1ihpDBNsJvUGmZNxl4ckChBfnEFPDfqzllktvptqN/lCePPvTOd6MUadj8n
    KC8fJtbWxGSeqKX1eZBwGmG9Wo+D6DcLh3YGeI8JSJyjf7bli3oSu+pFMXARHBRJ
    Sk67wC5EexqlhOtNF25tyLrv/fgpW9lLRZ7Oy5LVdC/w3hHb+KDA419PIyH2051E
    YUI/hEJJf4YiOpuaGkZTxeFduZgwXoxZPjCUADMahHHTIo3Zg4s0bsc7K4Q+Hzro
    WxfEJguhAgMBAAECggEACEAMqh0UKj60/EoPFwRf3V1qk6sloqZYrAqelaffjBYJ
    qNfoW2x1EGmO8wg2t8icy3+QfnShTnLrVlfwBRA8p133c1BGy7RgnKb49Wou0+ne
    HUUytON9vUzCkIirjfR2UCzV+F6ASdsoAOyB8tnOdHcXufLOW153dRttB4+mgR2W
    srgjw0GaQ18hjDwwV+wvrwOgAhHmKAbkzoQI21vs/eK6AE5hSsyR06zrOZfr7DpB
    RBRZ094Xjku2H4pVwt762O7i/paSZ67rHN+KpG3YfQfm9jyi1Uwmi6/dLXrhuIvi
    Pj3+4wNu4oOx3bVtDK/GHgDHRNT4CGmN52rrHtq/+QKBgQDoTZ7F9uG81DBa8PmX
    KzRHjpzkyoj9mh4ZIFulV5Gr9nj1Xpp6AKSIVSgVah4Hqo802Y13bKxDAmVaVHMV
    iiSWYaTQfujz3wcl0lgGhH8gqFg6+Io+yuxU8GA7cn0tzb4dtoefljPx3hTI/dUW
    I7n/Bwg9zyGinA2WogO/WNTCxQKBgQDmuamYFQFIkdcWZDBR+aGh6r0HyhG/vjYO
    DYn1ocMeJ2BHkoNjc9EPAxecZuHrn4s30MWxsiCO+wen1o+iJEE1jR4mYjzCESAA
    tbnHtAhceYNJKp71YAIYEIjNfJo4lIcTeWcAtWb0kLAOM7GckyjHue0HDolf1fRE
    qvl3eBGDLQKBgH6VzW8SmO/MsIzdwyQc5uAXVmdV9lA7KyuF9mqizT5nkIIkiwjw
    ULf5r1379WE4D9E8u1nYXgYlyBTw78VNAaLwkl8KyOYbIkn51P24NY4WLf30cWDG
    MwIV+lpqiMvs0Sxfyoer0aJ64dikePkXfsL5kgQcWrfBUaZDosciIM4BAoGAKyXN
    cYN8GfYsIyPZZXspnv4nG63OY+1ObpJZmnYF5z2146yipZajIguR/s2+sjHD90wz
    rGeDbznC1MBrXAcrqrgZS1RTyHcrZPaXJ6GjbqfKxYQS9hBeU+HDs6n5rVsZZ6rs
    eFV0S4hDZGSGcqGSnsdGbGtrhWCdrbnLrWvm2oECgYAoTH/q3Hb4OyNNPQko8DN9
    Bbbw4BZCa6z/9et4hx758Cs6sC37NSNfzGTwnN98ZSzEdttKsHbTWGqjb9IHm2Uz
    u75/1wSLnGdezCpt6yvXTBv1Bl49gQ3CpnEe68OE4iv7mCWCPLp7KmWcAKyqaG/8
    hfN5XSF16VOGVE77pGR9Zg==
    -----END PRIVATE KEY-----
    """
}
