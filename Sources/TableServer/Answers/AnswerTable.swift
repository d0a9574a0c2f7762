import HTTPTypes
import TableProtocol
import TableStorage

/// The answer to each outcome: the one place where statuses are chosen (wire 9 and 17).
enum AnswerTable {
  enum Answer: Hashable {
    /// The item as it is stored.
    case item(HTTPResponse.Status)
    case nothing(HTTPResponse.Status)
    /// The headers of the item without the item.
    case notModified
    case refusal(RequestError)
  }

  static func answer(_ outcome: RowOutcome.Kind, _ version: ProtocolVersion) -> Answer {
    switch (outcome, version) {
    case (.found, _), (.changed, _), (.removed, .v2), (.alreadyRemoved, .v2): .item(.ok)
    case (.created, _): .item(.created)
    case (.unchanged, _): .notModified
    case (.removed, .v3): .nothing(.noContent)
    case (.idTaken, _), (.tombstone, .v2): .item(.conflict)
    case (.versionDiffers, _), (.tombstoneUnderCondition, .v2): .item(.preconditionFailed)
    case (.alreadyRemoved, .v3), (.tombstone, .v3), (.tombstoneUnderCondition, .v3), (.hidden, .v3):
      .refusal(.itemDeleted)
    case (.hidden, .v2), (.missing, _): .refusal(.noSuchItem)
    }
  }

  static func status(_ error: RequestError) -> HTTPResponse.Status {
    switch error {
    case .unknownURL, .table(.unknown), .table(.invalidName), .noSuchItem, .access(.unknownFeed): .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .itemDeleted: .gone
    case .body(.tooLarge), .body(.itemTooLarge), .batch(.tooMany), .batch(.tooManyTables),
      .batch(.groupTooLarge):
      .contentTooLarge
    case .body(.wrongContentType), .body(.encoded): .unsupportedMediaType
    case .otherDatabase, .otherEpoch, .unknownHost, .unknownHostOfProxy: .misdirectedRequest
    case .otherSite, .access(.otherUser), .access(.scope), .access(.unknownInvitation): .forbidden
    case .access(.usedInvitation): .conflict
    case .access(.expiredInvitation): .gone
    case .access(.noToken), .access(.wrongToken), .access(.expiredToken): .unauthorized
    case .access(.tooManyAttempts), .access(.tooManyRequests), .tooManyStreamsOfASender: .tooManyRequests
    case .notReady, .overloaded, .tooManyStreams, .access(.removedUser): .serviceUnavailable
    case .storage(let error): status(error)
    case .repetition(.unreadable), .repetition(.differs): .badRequest
    case .repetition(.tooOld), .repetition(.notYet): .preconditionFailed
    case .repetition(.unsupported): .notImplemented
    case .conditionNotSupported: .notImplemented
    case .dependencyFailed: HTTPResponse.Status(code: 424, reasonPhrase: "Failed Dependency")
    case .unsupportedVersion, .invalidOption, .unknownOption, .syntax, .query, .invalidID, .idMismatch, .missingID,
      .invalidPrecondition, .body(.notJSON), .body(.notAnItem), .property, .table(.tooMany), .batch, .costlyInBatch,
      .invalidHeader, .invalidURL:
      .badRequest
    }
  }

  private static func status(_ error: StorageError) -> HTTPResponse.Status {
    switch error {
    // The server's user lacks a right, not the client: 403 would say that a token is not enough.
    case .damagedRow, .refused, .failed, .notAllowed: .internalServerError
    case .busy, .waitedTooLong, .tooSlow, .interrupted, .fileGone, .unreachable: .serviceUnavailable
    // 503 would say that nothing was done.
    case .outcomeUnknown: .gatewayTimeout
    case .valueTooLarge: .badRequest
    case .full: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
    }
  }

  /// Seconds after which the same request may succeed; nil if nothing promises that.
  static func retryAfter(_ error: RequestError) -> Int? {
    if case .access(let error) = error, let seconds = error.secondsToWait { return seconds }
    if error == .storage(.fileGone) { return nil }
    if error == .tooManyStreams || error == .tooManyStreamsOfASender { return 60 }
    return [.serviceUnavailable, .gatewayTimeout].contains(status(error)) ? 1 : nil
  }
}
