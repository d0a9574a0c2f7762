import GRDB
import HTTPTypes
import TableProtocol

/// The course of one batch: entries one after another in one transaction, each in a savepoint of its
/// own, so that one that fails leaves nothing behind and does the others no harm.
struct BatchRun {
  /// Bytes of answers after which no further entry is run: a client sends those again that have no
  /// answer (table-protocol 18.4).
  static let largestAnswer = 33_554_432

  let requests: BatchRequests
  let makeID: @Sendable () -> String
  let transaction: WriteTransaction
  let stopsAtFirstError: Bool
  private var schemas = SchemaCache()
  /// Ids and groups.
  private var failed: Set<String> = []
  /// The paths of what the entries made, for the entries that refer to it.
  private var entities: [String: String] = [:]
  private var writer = BatchResponseWriter()

  init(
    requests: BatchRequests, makeID: @escaping @Sendable () -> String, transaction: WriteTransaction,
    stopsAtFirstError: Bool
  ) {
    self.requests = requests
    self.makeID = makeID
    self.transaction = transaction
    self.stopsAtFirstError = stopsAtFirstError
  }

  /// Gives the body of the answer.
  mutating func run(_ entries: [BatchRequest]) throws -> [UInt8] {
    var rest = entries[...]
    while let first = rest.first, writer.size < Self.largestAnswer, failed.isEmpty || !stopsAtFirstError {
      if let group = first.atomicityGroup {
        let members = rest.prefix { $0.atomicityGroup == group }
        try runTogether(members, group)
        rest = rest.dropFirst(members.count)
      } else {
        let answer = try attempt(first)
        if answer.isError { failed.insert(first.id) }
        write(answer, to: first)
        rest = rest.dropFirst()
      }
    }
    return writer.finished()
  }

  /// All or nothing: when one fails, what the others did is undone, and they say so.
  private mutating func runTogether(_ members: ArraySlice<BatchRequest>, _ group: String) throws {
    var answers: [TableResponse] = []
    try transaction.savepoint("SAVEPOINT batchGroup")
    for member in members {
      answers.append(try attempt(member))
      if answers.last?.isError == true { break }
    }
    if answers.last?.isError == true {
      try transaction.savepoint("ROLLBACK TO batchGroup")
      schemas = SchemaCache()
      failed.formUnion(members.map(\.id) + [group])
    }
    try transaction.savepoint("RELEASE batchGroup")
    let isUndone = failed.contains(group)
    for (index, member) in members.enumerated() {
      let isCulprit = index == answers.count - 1
      write(isUndone && !isCulprit ? TableResponse(.dependencyFailed) : answers[index], to: member)
    }
  }

  /// Runs one entry. Throws only when the database fails.
  private mutating func attempt(_ entry: BatchRequest) throws -> TableResponse {
    let needed = entry.dependsOn + (entry.reference.map { [$0] } ?? [])
    if needed.contains(where: failed.contains) { return TableResponse(.dependencyFailed) }
    if entry.isConditional { return TableResponse(.conditionNotSupported) }
    let route: TableRoute
    do {
      route = try TableRoute(try requests.request(entry, entities: entities), makeID: makeID)
    } catch {
      return TableResponse(error)
    }
    entities[entry.id] = route.entityPath
    try transaction.savepoint("SAVEPOINT batchEntry")
    do {
      let answer = try route.respond(in: transaction, &schemas)
      try transaction.savepoint("RELEASE batchEntry")
      return answer
    } catch let error as RequestError {
      try transaction.savepoint("ROLLBACK TO batchEntry")
      try transaction.savepoint("RELEASE batchEntry")
      schemas = SchemaCache()
      return TableResponse(error)
    }
  }

  /// Of the headers go along those that a client of the table protocol reads.
  private mutating func write(_ answer: TableResponse, to entry: BatchRequest) {
    var headers: [String: String] = [:]
    headers["etag"] = answer.headers[.eTag]
    headers["location"] = answer.headers[.location]
    headers["link"] = answer.headers[.link]
    headers["allow"] = answer.headers[.allow]
    writer.append(
      BatchResponse(
        id: entry.id, status: answer.status.code, headers: headers,
        body: answer.body.isEmpty ? nil : answer.body, atomicityGroup: entry.atomicityGroup))
  }
}

extension TableResponse {
  fileprivate var isError: Bool { status.code >= 400 }
}

extension WriteTransaction {
  fileprivate func savepoint(_ sql: String) throws {
    try database.cachedStatement(sql: sql).execute()
  }
}
