import FoundationEssentials
import Testing

@testable import TableClient

@Suite("Whom a sign-in token stands for")
struct TokenOwnerTests {
  /// A token with these claims; its signature is not looked at.
  private func token(_ claims: String, signature: String = "c2ln") -> String {
    let base64 = Data(claims.utf8).base64EncodedString()
    let text = base64.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
    return "eyJhbGciOiJIUzI1NiJ9." + String(text) + "." + signature
  }

  @Test("the subject a token names, with who says so; it stays when the token is renewed")
  func subject() {
    let mark = TokenOwner.identifier(of: token(#"{"iss":"https://home.example","sub":"eve","exp":1}"#))
    #expect(mark == "user https://home.example eve")
    #expect(
      TokenOwner.identifier(of: token(#"{"iss":"https://home.example","sub":"eve","exp":2}"#, signature: "bmV3"))
        == mark)
    #expect(TokenOwner.identifier(of: token(#"{"sub":"eve"}"#)) == "user eve")
  }

  @Test(
    "names of any script and length", arguments: ["a", "ab", "abc", "買い物", "🧋?>~", String(repeating: "x", count: 500)])
  func anySubject(name: String) {
    #expect(TokenOwner.identifier(of: token("{\"sub\":\"\(name)\"}")) == "user " + name)
  }

  @Test("another subject, or the same of another issuer, is another user")
  func others() {
    let marks = [
      #"{"iss":"a","sub":"eve"}"#, #"{"iss":"a","sub":"bob"}"#, #"{"iss":"b","sub":"eve"}"#, #"{"sub":"eve"}"#,
    ].map { TokenOwner.identifier(of: token($0)) }
    #expect(Set(marks).count == 4)
  }

  @Test(
    "a token that names nobody is known by a digest, from which it can't be read",
    arguments: ["secret", "a.b.c", "..", "a.e30.c", "a.eyJzdWIiOiIifQ.c", "a.eyJzdWIiOjd9.c", "a.b.c.d", "買"])
  func digest(token: String) {
    let mark = TokenOwner.identifier(of: token)
    #expect(mark.wholeMatch(of: /token [0-9a-f]{16}/) != nil, "\(mark)")
    #expect(!mark.contains(token))
    #expect(TokenOwner.identifier(of: token) == mark)
    #expect(TokenOwner.identifier(of: token + "x") != mark)
  }

  @Test("without a token the user is empty", arguments: [nil, ""])
  func nobody(token: String?) {
    #expect(TokenOwner.identifier(of: token) == "")
  }
}
