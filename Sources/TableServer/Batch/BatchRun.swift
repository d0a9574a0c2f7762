import HTTPTypes
import TableProtocol
import TableStorage

/// The course of one batch: entries one after another in one transaction. An entry that fails has written
/// nothing and does the others no harm.
struct BatchRun {
  /// Bytes of answers after which no further entry is run: a client sends those again that have no
  /// answer (wire 18.4).
  static let largestAnswer = 33_554_432

  let requests: BatchRequests
  let transactions: [ListTransaction]
  let stopsAtFirstError: Bool
  /// Ids and groups.
  private var failed: Set<ExactText> = []
  /// The paths of what the entries made, for the entries that refer to it.
  private var entities: [ExactText: String] = [:]
  /// False when no entry refers to another, as in nearly every batch.
  private var keepsEntities = false
  private var writer = BatchResponseWriter()

  init(requests: BatchRequests, transactions: [ListTransaction], stopsAtFirstError: Bool) {
    self.requests = requests
    self.transactions = transactions
    self.stopsAtFirstError = stopsAtFirstError
  }

  /// Gives the body of the answer.
  mutating func run(_ steps: [BatchStep]) throws -> [UInt8] {
    keepsEntities = steps.contains { $0.entry.reference != nil }
    for transaction in transactions {
      let table = transaction.list.id.table
      try transaction.list.prepare { steps.compactMap { $0.rowChanged(in: table) } }
    }
    var rest = steps[...]
    while let first = rest.first, writer.size < Self.largestAnswer, failed.isEmpty || !stopsAtFirstError {
      if let group = first.entry.atomicityGroup {
        let members = rest.prefix { $0.entry.atomicityGroup?.isExactly(group) == true }
        try runTogether(members, group)
        rest = rest.dropFirst(members.count)
      } else {
        let answer = try attempt(first)
        if answer.isError { failed.insert(ExactText(first.entry.id)) }
        write(answer, to: first.entry)
        rest = rest.dropFirst()
      }
    }
    return writer.finished()
  }

  /// All or nothing: when one fails, what the others did is undone, and they say so. So does a group whose answers
  /// together are larger than those of a batch may be: until its end none of them can be left out.
  private mutating func runTogether(_ members: ArraySlice<BatchStep>, _ group: String) throws {
    let answers = try ListTransaction.part(of: transactions[...]) {
      var answers: [TableResponse] = []
      var size = 0
      for member in members {
        let answer = try attempt(member)
        size += answer.body.count
        answers.append(
          size > Self.largestAnswer ? TableResponse(.batch(.groupTooLarge(limit: Self.largestAnswer))) : answer)
        if answers.last?.isError == true { break }
      }
      return (answers, isKept: answers.last?.isError != true)
    }
    let isUndone = answers.last?.isError == true
    if isUndone { failed.formUnion((members.map(\.entry.id) + [group]).map(ExactText.init)) }
    for (index, member) in members.enumerated() {
      let isCulprit = index == answers.count - 1
      write(isUndone && !isCulprit ? TableResponse(.dependencyFailed) : answers[index], to: member.entry)
    }
  }

  /// Runs one entry. Throws only when the database fails.
  private mutating func attempt(_ step: BatchStep) throws -> TableResponse {
    let entry = step.entry
    if entry.needed.contains(where: failed.contains) { return TableResponse(.dependencyFailed) }
    if entry.isConditional { return TableResponse(.conditionNotSupported) }
    let route: TableRoute
    do {
      if let aim = step.aim { try requests.check(aim, transactions.first?.list.id.owner) }
      if let known = step.route {
        route = try known.get()
      } else {
        route = try requests.route(entry, try requests.headers(of: entry), entities: entities)
      }
    } catch {
      return TableResponse(error)
    }
    // All that write would wait for it: the entries share the one transaction that writes.
    if case .list(let list) = route, list.isCostly { return TableResponse(.costlyInBatch) }
    guard let transaction = transactions.first(where: { $0.list.id.table == route.table }) else {
      return TableResponse(.unknownURL)
    }
    if keepsEntities { entities[ExactText(entry.id)] = route.entityPath }
    do {
      if let aim = step.aim { try aim.check([transaction.list]) }
      return try route.respond(in: transaction)
    } catch let error as RequestError {
      return TableResponse(error)
    } catch let error as StorageError where error.isAboutOneRequest {
      return TableResponse(.storage(error))
    }
  }

  private mutating func write(_ answer: TableResponse, to entry: BatchRequest) {
    let headers = [
      ("allow", answer.allow), ("etag", answer.eTag), ("link", answer.link), ("location", answer.location),
      ("repeatability-result", answer.repeatability),
    ]
    writer.append(
      entry.id, status: answer.status.code, group: entry.atomicityGroup, headers: headers,
      body: answer.body.isEmpty ? nil : answer.body)
  }
}

/// The place of a batch among those of one push (``ZumoHeader/sequence``).
struct BatchTurn: Hashable, Sendable {
  static let longestPush = 64
  /// Digits of a number: more batches than a push can have.
  static let longestNumber = 9

  let push: String
  let number: Int

  /// Nil when the batch does not say; then it waits for none. Throws for a header that can't be read.
  init?(_ headers: HTTPFields) throws(RequestError) {
    guard let field = headers[.sequence] else { return nil }
    let parts = HeaderParameters(field).parts
    guard parts.count == 2, (1...Self.longestPush).contains(parts[0].utf8.count),
      parts[0].utf8.allSatisfy(\.isNamePart), let number = Int(digits: parts[1], atMost: Self.longestNumber)
    else { throw .invalidHeader(ZumoHeader.sequence) }
    push = String(parts[0])
    self.number = number
  }

  init(push: String, number: Int) {
    self.push = push
    self.number = number
  }
}

extension UInt8 {
  fileprivate var isNamePart: Bool {
    isDigit || self == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}
