import HTTPTypes
import TableProtocol

/// What `If-Match` asks of the row (table-protocol 8).
enum Precondition: Hashable, Sendable {
  /// No header: the last writer wins.
  case none
  /// `*`: any row that exists.
  case exists
  case version(RecordVersion)
  /// A weak tag, which matches nothing.
  case never

  init(_ headers: HTTPFields) throws(RequestError) {
    guard let field = headers[.ifMatch] else {
      self = .none
      return
    }
    if field == "*" {
      self = .exists
    } else if field.hasPrefix("W/") {
      self = .never
    } else if let version = RecordVersion(entityTag: field) {
      self = .version(version)
    } else {
      throw .invalidPrecondition
    }
  }

  func allows(_ record: Record) -> Bool {
    switch self {
    case .none, .exists: true
    case .version(let version): record.system.version == version
    case .never: false
    }
  }
}
