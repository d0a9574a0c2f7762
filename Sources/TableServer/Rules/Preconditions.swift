import HTTPTypes
import TableProtocol

/// The conditions that a request sets on the row that it is about (wire 8). They are judged in the order of RFC 9110
/// 13.2.2, against the row as it is stored.
struct Preconditions: Hashable, Sendable {
  /// `If-Match`, or `If-None-Match`.
  enum Tags: Hashable, Sendable {
    /// `*`: any row that exists.
    case any
    case versions([RecordVersion])
  }

  var match: Tags?
  /// `If-Unmodified-Since`, in whole seconds. Passed over if there is an `If-Match`.
  var unmodifiedSince: Timestamp?
  var noneMatch: Tags?
  /// `If-Modified-Since`, in whole seconds. Of reading alone, and passed over if there is an `If-None-Match`.
  var modifiedSince: Timestamp?

  static let none = Preconditions()

  private init() {}

  /// Throws for tags that can't be read. A date that can't be read is passed over, as RFC 9110 wants it.
  init(_ headers: HTTPFields) throws(RequestError) {
    if let field = headers.value(of: .ifMatch) { match = try Tags(match: field) }
    if let field = headers[.ifNoneMatch] { noneMatch = try Tags(noneMatch: field) }
    if match == nil { unmodifiedSince = headers[.ifUnmodifiedSince].flatMap { Timestamp(httpDate: $0) } }
    if noneMatch == nil { modifiedSince = headers[.ifModifiedSince].flatMap { Timestamp(httpDate: $0) } }
  }

  /// True if a write may go on.
  func allowWriting(_ row: Record) -> Bool { isCurrent(row) && noneMatch?.contains(row) != true }

  /// A reader's answer: the row, the news that it has it already, or a refusal.
  func reading(_ row: Record) -> RowOutcome.Kind {
    if !isCurrent(row) { return .versionDiffers }
    if let noneMatch { return noneMatch.contains(row) ? .unchanged : .found }
    if let modifiedSince, let changed = row.lastModified { return changed > modifiedSince ? .found : .unchanged }
    return .found
  }

  private func isCurrent(_ row: Record) -> Bool {
    if let match { return match.contains(row) }
    if let unmodifiedSince, let changed = row.lastModified { return changed <= unmodifiedSince }
    return true
  }
}

extension Preconditions.Tags {
  /// One tag. A weak one matches nothing, because the row may have changed under it.
  fileprivate init(match field: String) throws(RequestError) {
    if field == "*" {
      self = .any
    } else if field.hasPrefix("W/") {
      self = .versions([])
    } else if let version = RecordVersion(entityTag: field) {
      self = .versions([version])
    } else {
      throw .invalidPrecondition
    }
  }

  /// One tag or many, weak or strong: here both mean the same.
  fileprivate init(noneMatch field: String) throws(RequestError) {
    guard field != "*" else {
      self = .any
      return
    }
    var versions: [RecordVersion] = []
    for part in field.split(separator: ",", omittingEmptySubsequences: false) {
      let tag = part.drop { $0 == " " }
      guard let version = RecordVersion(entityTag: tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) else {
        throw .invalidPrecondition
      }
      versions.append(version)
    }
    self = .versions(versions)
  }

  fileprivate func contains(_ row: Record) -> Bool {
    switch self {
    case .any: true
    case .versions(let versions): row.system.version.map(versions.contains) ?? false
    }
  }
}

extension Record {
  /// When the row was changed, as `Last-Modified` says it: without the part of a second, so that what a client sends
  /// back compares as equal.
  var lastModified: Timestamp? { system.updatedAt?.wholeSecond }
}
