/// Why a JWT lets nobody in: the first check that failed.
///
/// For the log alone. A client learns only that its token is wrong.
enum TokenFlaw: Error, Hashable, CaseIterable, Sendable {
  case form
  /// RFC 7518, 3.6.
  case unsigned
  /// RFC 7515, 4.1.11.
  case extensions
  /// RFC 7519, 4.
  case names
  case algorithm
  case signature
  case claims
  case issuer
  case audience
  case subject
  /// A number that should be a time is none.
  case time
  /// The token has none. One whose end is past is ``JWTVerifier/Verdict/expired``.
  case end
  case start

  /// A few words for the log, with the name of the member in the token. Never anything of the token itself.
  var words: String {
    switch self {
    case .form: "it is no JWT that can be read"
    case .unsigned: "it is not signed (alg)"
    case .extensions: "it needs an extension (crit)"
    case .names: "a part of it is no JSON object with each name once"
    case .algorithm: "no key is for its algorithm (alg)"
    case .signature: "no key has signed it"
    case .claims: "its header or a claim can't be read"
    case .issuer: "its issuer is another (iss)"
    case .audience: "its audience is another (aud)"
    case .subject: "its subject is no name of a user (sub)"
    case .time: "its end or its start is not between 1970 and 9999 (exp, nbf)"
    case .end: "it does not say when it ends (exp)"
    case .start: "it is not valid yet (nbf)"
    }
  }
}
