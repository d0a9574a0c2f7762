import FoundationEssentials
import TableProtocol
import TableStorage

/// Why a request is refused.
enum RequestError: Error, Hashable, Sendable {
  /// The request names a host that this server is not meant for.
  case unknownHost(String)
  /// The same, and a trusted proxy sends the request: its client named another host.
  case unknownHostOfProxy(String)
  /// A page of another site sends it.
  case otherSite
  /// The sender is not let in.
  case access(AccessError)
  /// The server is about to open its database.
  case notReady
  /// Too much is under way at the moment.
  case overloaded
  /// There are as many streams as there may be.
  case tooManyStreams
  /// The user, or the address that shows no token, has as many of them as one may have.
  case tooManyStreamsOfASender
  case unknownURL
  /// The path has bytes that are no text.
  case invalidURL
  case table(TableError)
  case unsupportedVersion(String)
  case methodNotAllowed(allowed: String)
  case invalidOption(String, expected: String)
  case unknownOption(String)
  case syntax(FilterSyntaxError, option: String)
  case query(QueryError)
  case invalidID
  case idMismatch
  /// A whole item must have its id.
  case missingID
  case invalidPrecondition
  /// The request says that it may be sent again, and can't be done under that condition.
  case repetition(RepetitionError)
  case body(BodyError)
  case property(PropertyError)
  case noSuchItem
  case itemDeleted
  case storage(StorageError)
  case batch(BatchError)
  /// An entry of a batch: one that it needs has failed.
  case dependencyFailed
  /// An entry of a batch: a list for which the database may have to look at many rows.
  case costlyInBatch
  case conditionNotSupported
  case invalidHeader(String)
  /// The request is meant for another database than the one here.
  case otherDatabase
  /// The request is meant for another state of the database than the one it goes on from.
  case otherEpoch
}

/// Why a table is not served.
enum TableError: Hashable, Sendable {
  case unknown(String)
  case invalidName(String)
  case tooMany(Int)
}

/// Why a body is refused, or the item that it would make.
enum BodyError: Hashable, Sendable {
  case notJSON
  case notAnItem
  case tooLarge(limit: Int)
  /// The item to be stored is larger than one may be.
  case itemTooLarge(limit: Int)
  case wrongContentType
  /// The body is compressed, or has another content coding that the server does not read.
  case encoded
}

/// Why a property of an item, or of a request to join, is refused.
enum PropertyError: Hashable, Sendable {
  case invalidName(String)
  case repeated(String)
  case wrongValue(String, expected: String)
  /// The table would have more columns than it may.
  case tooMany(Int)
  /// The user added as many columns in an hour as one may, to all tables together.
  case tooManyNew(Int)
}

extension RequestError {
  /// Names what keeps a body from being a request to join.
  init(joining body: [UInt8]) {
    do {
      _ = try JSONDecoder().decode(JoinRequest.self, from: Data(body))
      // All of it can be read, so it is the form of the attempt.
      self = .property(.wrongValue("attempt", expected: "16 to 200 visible ASCII characters"))
    } catch DecodingError.keyNotFound(let key, _) {
      self = .property(.wrongValue(key.stringValue, expected: "a text"))
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      guard let member = context.codingPath.last else {
        self = .body(.notAnItem)
        return
      }
      self = .property(.wrongValue(member.stringValue, expected: "a text"))
    } catch {
      self = .body(.notJSON)
    }
  }
}

/// The sentence a client shows; it says what to do.
extension RequestError {
  var message: String {
    switch self {
    case .unknownHost(let host):
      "This server is not meant for the host '\(host.clipped)'; use its address, or start it with --name."
    case .unknownHostOfProxy(let host):
      """
      The proxy asks this server for the host '\(host.clipped)'; let it pass on the Host of its client, or start the \
      server with --name \(HostName(host)?.text.clipped ?? "HOST").
      """
    case .otherSite: "This server takes no requests from pages of other sites."
    case .access(let error): error.message
    case .notReady: "The server is starting; try again."
    case .overloaded: "The server has too much to do at the moment; try again."
    case .tooManyStreams: "Too many clients wait for notices at the moment; ask for the list instead."
    case .invalidURL: "The path of the URL is not UTF-8."
    case .tooManyStreamsOfASender: "You have too many connections for notices; close one, or ask for the list instead."
    case .unknownURL: "There is nothing at this URL; tables are at /tables/NAME."
    case .table(let error): error.message
    case .unsupportedVersion(let version):
      "An invalid API version was specified ('\(version.clipped)'); use 2.0.0 or 3.0.0."
    case .methodNotAllowed(let allowed): "This URL takes only \(allowed)."
    case .invalidOption(let name, let expected): "\(name.clipped) must be \(expected)."
    case .unknownOption(let name): "The option \(name.clipped) is not known."
    case .syntax(let error, let option): "\(option): \(error.message) (at index \(error.position))."
    case .query(let error): error.message
    case .invalidID: "This can't be the id of an item."
    case .idMismatch: "The id in the body differs from the one in the URL."
    case .missingID: "The body has no id; it must be the one in the URL."
    case .invalidPrecondition: "If-Match must be one quoted version, If-None-Match one or more."
    case .repetition(let error): error.message
    case .body(let error): error.message
    case .property(let error): error.message
    case .noSuchItem: "The item does not exist."
    case .itemDeleted: "The item is deleted."
    case .storage(let error): error.message
    case .batch(let error): error.message
    case .dependencyFailed: "Not done, because another request of the batch failed."
    case .costlyInBatch:
      "Ask for this list by itself: a batch takes lists in the order of id or updatedAt, without a search."
    case .conditionNotSupported: "Conditions ('if') are not supported; leave them out."
    case .invalidHeader(let name): "The header '\(name.clipped)' is not a valid one."
    case .otherDatabase: "This server has another database than the one asked for; check its address."
    case .otherEpoch: "This server's database went back to an older state; read its list before you change it."
    }
  }
}

extension AccessError {
  fileprivate var message: String {
    switch self {
    case .noToken: "This server needs a token; ask whoever runs it for one."
    case .wrongToken: "This server does not know the token; ask whoever runs it for another."
    case .expiredToken: "The token has expired; ask whoever runs the server for another."
    case .unknownInvitation: "This server does not know the invitation; ask whoever runs it for another."
    case .usedInvitation: "The invitation was used already; ask whoever runs the server for another."
    case .expiredInvitation: "The invitation has expired; ask whoever runs the server for another."
    case .unknownFeed: "There is no calendar at this URL; ask whoever runs the server for another."
    case .otherUser: "The token is of another user than the request is meant for."
    case .removedUser: "The user of this token was just removed."
    case .scope(.read): "This token is for reading only."
    case .scope(let scope): "This token is for \(scope.rawValue) only."
    case .tooManyRequests(let seconds): "Too many requests came from here; try again in \(seconds) seconds."
    case .tooManyAttempts(let seconds): "Too many wrong tokens came from here; try again in \(seconds) seconds."
    }
  }
}

extension TableError {
  fileprivate var message: String {
    switch self {
    case .unknown(let name): "There is no table '\(name.clipped)' here."
    case .invalidName(let name):
      "'\(name.clipped)' can't name a table; use a letter, then letters, digits and _, at most \(ServedTable.longestName)."
    case .tooMany(let most): "There is room for \(most) tables; this would be one more."
    }
  }
}

extension BodyError {
  fileprivate var message: String {
    switch self {
    case .notJSON: "The body is not valid JSON."
    case .notAnItem: "The body must be a JSON object with plain values."
    case .tooLarge(let limit): "The body is larger than \(limit) bytes."
    case .itemTooLarge(let limit): "The item would be larger than \(limit) bytes."
    case .wrongContentType: "The body must be sent as application/json."
    case .encoded: "The body must be sent without a Content-Encoding, not compressed."
    }
  }
}

extension PropertyError {
  fileprivate var message: String {
    switch self {
    case .invalidName(let name): "'\(name.clipped)' can't name a property; use letters, digits and _, at most 128."
    case .repeated(let name): "The property '\(name.clipped)' is there twice."
    case .wrongValue(let name, let expected): "The property '\(name.clipped)' must be \(expected)."
    case .tooMany(let most): "A table holds at most \(most) properties."
    case .tooManyNew(let most): "One user adds at most \(most) new properties an hour, to all tables together."
    }
  }
}

extension RepetitionError {
  fileprivate var message: String {
    switch self {
    case .unreadable: "Give both: Repeatability-Request-ID, a short word, and Repeatability-First-Sent, a date of HTTP."
    case .tooOld:
      "The request was first sent too long ago to know whether it was done; look at the item before you send it again."
    case .notYet: "The request was first sent in the future; check the clock."
    case .differs: "Another request had this Repeatability-Request-ID."
    case .unsupported: "Give the headers of repeatability to the requests of the batch, not to the batch."
    }
  }
}

extension StorageError {
  fileprivate var message: String {
    switch self {
    case .damagedRow(let id?, let column):
      "The stored item '\(id.text.clipped)' is damaged: the value of '\(column)' does not fit."
    case .damagedRow(nil, _): "A stored item is damaged: its id can't be read."
    case .busy: "The server's database is in use by another program; try again."
    case .waitedTooLong: "The server's database is slow, and the request was not carried out; try again."
    case .full: "The server's disk is full."
    case .tooSlow: "This takes the server's database too long; ask for less."
    case .valueTooLarge: "The condition makes a text that is too long."
    case .interrupted: "The request was given up."
    case .fileGone: "The server's database was removed or replaced while the server runs; restart the server."
    case .unreachable: "The server can't reach its database; try again."
    case .outcomeUnknown:
      "The server's database did not answer while it wrote; look at the item before you send it again."
    case .notAllowed: "The server's database does not let the server do this; ask whoever runs it."
    case .failed, .refused: "The server could not read or write its database."
    }
  }
}

extension FilterSyntaxError {
  fileprivate var message: String {
    switch reason {
    case .unexpectedEnd: "more was expected"
    case .unexpected(let text): "'\(text.clipped)' was not expected"
    case .unterminatedString: "the string has no closing quote"
    case .invalidLiteral(let text): "\(text.clipped) is not a valid value"
    case .unknownFunction(let name): "there is no function '\(name.clipped)'"
    case .wrongArgumentCount(let function): "\(function.rawValue) has another number of arguments"
    case .unsafeReplace: "replace can't be nested and takes a short constant as its last argument"
    case .tooDeep: "it is nested too deeply"
    case .tooManyCalls: "it calls too many functions"
    case .tooLong: "it is too long"
    }
  }
}

extension QueryError {
  fileprivate var message: String {
    switch self {
    case .unknownColumn(let name): "There is no property '\(name.clipped)'."
    case .notATimestamp(let text): "\(text.clipped) is not a time."
    case .tooComplex: "The condition is too complex; split the query."
    }
  }
}

extension BatchError {
  fileprivate var message: String {
    switch self {
    case .malformed(let position): "The batch is not JSON of the form {\"requests\": […]} (at index \(position))."
    case .noRequests: "The batch has no 'requests'."
    case .tooManyHeaders(let position):
      """
      A request of a batch may have \(BatchRequest.mostHeaders) headers, of \(BatchRequest.longestHeaders) bytes \
      together (at index \(position)).
      """
    case .tooMany(let limit): "A batch holds at most \(limit) requests."
    case .tooManyTables(let limit): "A batch is about at most \(limit) tables."
    case .groupTooLarge(let limit):
      "The answers of a group may have \(limit) bytes together; put fewer requests in it."
    case .repeatedID(let id): "The id '\(id.clipped)' is in the batch twice."
    case .unknownReference(let name): "'\(name.clipped)' must be the id or group of an earlier request."
    case .splitGroup(let name): "The requests of the group '\(name.clipped)' must stand together."
    case .method(let name): "'\(name.clipped)' can't be in a batch; use get, post, put, patch or delete."
    case .nested: "A batch can't be in a batch."
    case .unwantedBody(let id): "The request '\(id.clipped)' takes no body."
    case .credentials(let id): "Credentials belong to the batch, not to the request '\(id.clipped)'."
    }
  }
}

extension String {
  /// Enough of a text from outside to be recognised.
  fileprivate var clipped: String { count > 60 ? prefix(60) + "…" : self }
}
