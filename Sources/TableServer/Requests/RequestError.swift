import HTTPTypes
import TableProtocol
import TableSQL

/// Why a request is refused.
enum RequestError: Error, Hashable, Sendable {
  case unknownURL
  case unknownTable(String)
  case unsupportedVersion(String)
  case methodNotAllowed(allowed: String)
  case invalidOption(String, expected: String)
  case unknownOption(String)
  case syntax(FilterSyntaxError, option: String)
  case query(QuerySQLError)
  case invalidID
  case idMismatch
  case invalidPrecondition
  case notJSON
  case bodyNotAnItem
  case bodyTooLarge(limit: Int)
  case wrongContentType
  case invalidPropertyName(String)
  case repeatedProperty(String)
  case wrongValue(property: String, expected: String)
  case tooManyColumns(Int)
  case noSuchItem
  case itemDeleted
  case storeFailed
  case batch(BatchError)
  /// An entry of a batch: one that it needs has failed.
  case dependencyFailed
  case conditionNotSupported
  case invalidHeader(String)
  /// The request is meant for another database than the one here.
  case otherDatabase
  /// The request is meant for another state of the database than the one it goes on from.
  case otherEpoch

  var status: HTTPResponse.Status {
    switch self {
    case .unknownURL, .unknownTable, .noSuchItem: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .itemDeleted: .gone
    case .bodyTooLarge, .batch(.tooMany): .contentTooLarge
    case .wrongContentType: .unsupportedMediaType
    case .otherDatabase, .otherEpoch: .misdirectedRequest
    case .storeFailed: .internalServerError
    case .conditionNotSupported: .notImplemented
    case .dependencyFailed: HTTPResponse.Status(code: 424, reasonPhrase: "Failed Dependency")
    case .unsupportedVersion, .invalidOption, .unknownOption, .syntax, .query, .invalidID, .idMismatch,
      .invalidPrecondition, .notJSON, .bodyNotAnItem, .invalidPropertyName, .repeatedProperty, .wrongValue,
      .tooManyColumns, .batch, .invalidHeader:
      .badRequest
    }
  }
}
