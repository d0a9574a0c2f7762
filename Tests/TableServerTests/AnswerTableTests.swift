import HTTPTypes
import TableProtocol
import TableSQL
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("What each outcome is answered with")
struct AnswerTableTests {
  /// In 2.0.0 and in 3.0.0 (wire 17).
  private static let expected: [RowOutcome.Kind: (AnswerTable.Answer, AnswerTable.Answer)] = [
    .found: (.item(.ok), .item(.ok)),
    .unchanged: (.notModified, .notModified),
    .created: (.item(.created), .item(.created)),
    .changed: (.item(.ok), .item(.ok)),
    .removed: (.item(.ok), .nothing(.noContent)),
    .alreadyRemoved: (.item(.ok), .refusal(.itemDeleted)),
    .idTaken: (.item(.conflict), .item(.conflict)),
    .versionDiffers: (.item(.preconditionFailed), .item(.preconditionFailed)),
    .tombstone: (.item(.conflict), .refusal(.itemDeleted)),
    .tombstoneUnderCondition: (.item(.preconditionFailed), .refusal(.itemDeleted)),
    .hidden: (.refusal(.noSuchItem), .refusal(.itemDeleted)),
    .missing: (.refusal(.noSuchItem), .refusal(.noSuchItem)),
  ]

  @Test("every outcome about one row, in both versions", arguments: RowOutcome.Kind.allCases)
  func outcomes(kind: RowOutcome.Kind) throws {
    let (old, new) = try #require(Self.expected[kind])
    #expect(AnswerTable.answer(kind, .v2) == old)
    #expect(AnswerTable.answer(kind, .v3) == new)
  }

  private static let refused: [(RequestError, Int)] = [
    (.unknownURL, 404), (.table(.unknown("x")), 404), (.unsupportedVersion("9"), 400),
    (.methodNotAllowed(allowed: "GET"), 405), (.invalidOption("$top", expected: "x"), 400), (.unknownOption("$x"), 400),
    (.syntax(FilterSyntaxError(.tooLong, at: 0), option: "$filter"), 400), (.query(.tooComplex), 400),
    (.query(.unknownColumn("x")), 400), (.invalidID, 400), (.idMismatch, 400), (.missingID, 400),
    (.invalidPrecondition, 400), (.body(.notJSON), 400), (.body(.notAnItem), 400),
    (.body(.tooLarge(limit: 1)), 413), (.body(.wrongContentType), 415), (.body(.encoded), 415),
    (.property(.invalidName("x")), 400),
    (.property(.repeated("x")), 400), (.property(.wrongValue("x", expected: "y")), 400),
    (.property(.tooMany(1)), 400), (.noSuchItem, 404),
    (.itemDeleted, 410), (.storage(.busy), 503), (.storage(.full), 507), (.storage(.failed("x")), 500),
    (.storage(.damagedRow(id: "a", column: "x")), 500), (.batch(.tooMany(limit: 1)), 413), (.batch(.noRequests), 400),
    (.batch(.nested), 400), (.dependencyFailed, 424), (.conditionNotSupported, 501), (.invalidHeader("x"), 400),
    (.batch(.tooManyHeaders(position: 9)), 400),
    (.otherDatabase, 421), (.otherEpoch, 421), (.unknownHost("x"), 421), (.otherSite, 403), (.notReady, 503),
    (.unknownHostOfProxy("x:80"), 421),
    (.overloaded, 503), (.tooManyStreamsOfASender, 429), (.invalidURL, 400),
    (.body(.itemTooLarge(limit: 1)), 413), (.property(.tooManyNew(1)), 400),
    (.table(.invalidName("$x")), 404), (.table(.tooMany(1)), 400),
    (.repetition(.unreadable), 400), (.repetition(.differs), 400), (.repetition(.tooOld), 412),
    (.repetition(.notYet), 412), (.repetition(.unsupported), 501),
    (.storage(.tooSlow), 503), (.storage(.waitedTooLong), 503), (.storage(.outcomeUnknown), 504),
    (.storage(.interrupted), 503), (.storage(.fileGone), 503), (.storage(.notAllowed), 500),
    (.storage(.valueTooLarge), 400), (.storage(.refused("x")), 500), (.access(.noToken), 401),
    (.access(.wrongToken), 401), (.access(.expiredToken), 401), (.access(.scope(.read)), 403),
    (.access(.scope(.feed)), 403), (.access(.unknownFeed), 404), (.access(.removedUser), 503),
    (.access(.tooManyAttempts(seconds: 9)), 429),
  ]

  @Test("every refusal, with a sentence, and with a time to wait if it is for a moment", arguments: refused)
  func refusals(error: RequestError, status: Int) throws {
    #expect(AnswerTable.status(error).code == status)
    let response = TableResponse(error)
    #expect(ErrorBody.message(in: response.body) == error.message)
    let passes = error != .storage(.fileGone)
    #expect((response.headers[.retryAfter] != nil) == (passes && [429, 503, 504].contains(status)))
    let challenge = response.headers[.wwwAuthenticate]
    let isOfToken = status == 401 || error == .access(.tooManyAttempts(seconds: 9))
    #expect((challenge != nil) == isOfToken)
    let namesToken = challenge?.contains("error=\"invalid_token\"") == true
    #expect(namesToken == (isOfToken && error != .access(.noToken)))
  }

  @Test("every header has a name that HTTP can carry", arguments: Header.allCases)
  func headers(header: Header) throws {
    #expect(try #require(header.name).rawName == header.text)
  }
}
