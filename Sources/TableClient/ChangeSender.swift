import NIOHTTP1
import OfflineSync
import TableProtocol

/// Sends many changes and receives their answers: in batches if the server accepts them, else in several requests at
/// once.
///
/// Use it once: it counts the batches of one push.
final class ChangeSender {
  /// Failures in a row that end the sending.
  static let mostFailures = 3
  /// Outcomes of single requests that are reported together: each part is a transaction of the store.
  private static let part = 50

  let transport: any RequestTransport
  let address: ServerAddress
  let headers: ClientHeaders
  let changes: [RemoteChange]
  let rows: ServerRows
  let origin: AnswerOrigin
  let width: SendingWidth
  private let use: BatchUse
  private let settings: ClientSettings
  private let starting: ([Int]) -> [Int]
  private let settle: ([SettledChange]) -> Bool
  let server: ChangeRequest.Server
  /// Requests that depend on more than the change and the server, by the index of the change.
  var prepared: [Int: ChangeRequest] = [:]
  var ledger: SendingLedger
  private(set) var goesOn = true
  /// Names the batches of this push; nil for a server that does not put them in order.
  private var push: String?
  private var batches = 0
  /// A round of this push had failures, and one made as many requests at once as it may.
  private var hasFailures = false
  private var isFull = false

  init(
    _ changes: [RemoteChange], transport: any RequestTransport, address: ServerAddress, headers: ClientHeaders,
    use: BatchUse, width: SendingWidth, rows: ServerRows, settings: ClientSettings,
    starting: @escaping ([Int]) -> [Int], settle: @escaping ([SettledChange]) -> Bool
  ) {
    self.changes = changes
    self.transport = transport
    self.address = address
    self.headers = headers
    self.use = use
    self.width = width
    self.rows = rows
    self.settings = settings
    self.starting = starting
    self.settle = settle
    origin = AnswerOrigin(headers)
    server = ChangeRequest.Server(headers, mergesUpdates: rows.mergesUpdates)
    ledger = SendingLedger(changes, rows: rows)
    push = headers.database == nil ? nil : settings.newID()
  }

  /// Sends the changes, which are of different records, and reports their outcomes as they arrive.
  func run() {
    defer { use.endPush() }
    keepOtherColumns()
    if goesOn, ledger.ended == nil, changes.count > 1 {
      sendBatches(ledger.open)
    }
    sendConditionsInBodies()
    if goesOn { sendAlone() }
    if goesOn, ledger.ended == nil, isFull, !hasFailures { width.noteFullPush() }
    if goesOn { ledger.finish() }
    // Even if nothing more is sent: the outcomes of requests under way must not be lost.
    handOn()
  }

  /// Made when it is needed: the first requests leave before the last ones are written.
  func request(_ index: Int) -> ChangeRequest {
    prepared[index] ?? ChangeRequest(changes[index].named(rows.names), to: server, address: address)
  }

  func handOn() {
    let news = ledger.drainNews()
    if !news.isEmpty { goesOn = settle(news) && goesOn }
  }

  /// Returns the changes that a request may carry now.
  func start(_ indices: [Int]) -> [Int] { ledger.start(indices, starting) }

  /// Notes the end of a round. Returns true if the failures may come from too many requests at once.
  func narrow(after round: SendingRound) -> Bool {
    isFull = isFull || (round.width == width.current && round.isFull)
    hasFailures = hasFailures || round.hasFailures
    return width.narrow(after: round)
  }

  /// To a server of ours a condition goes in a batch, even alone: something on the way that drops the header `If-Match`
  /// would make the change overwrite another device's edit (wire 18.2). Batches go on while they get answers.
  private func sendConditionsInBodies() {
    guard headers.database != nil else { return }
    var left = Int.max
    while goesOn, ledger.ended == nil {
      let open = ledger.open.filter { request($0).precondition != nil }
      guard !open.isEmpty, open.count < left else { return }
      left = open.count
      sendBatches(open)
    }
  }

  /// Sends these changes in batches if the server takes them, and those of a batch that was too large again in smaller
  /// ones. The changes that are open then are sent alone.
  private func sendBatches(_ indices: [Int]) {
    guard case .json(let entries, let bytes) = use.current else { return }
    var plan = BatchPlan(indices, entries: entries, bytes: bytes, growing: push != nil)
    var mayGoOn: Bool { goesOn && ledger.ended == nil && use.current != .unsupported }
    // One at a time until a size is found that passes.
    var isSizeKnown = true
    while !plan.isEmpty, mayGoOn {
      var underWay: ArraySlice<BatchPlan.Chunk> = []
      let isTrying = !isSizeKnown
      var round = SendingRound(width: push == nil || isTrying ? 1 : width.current)
      var unanswered: [(chunk: BatchPlan.Chunk, failure: RemoteFailure)] = []
      transport.exchange(atOnce: round.width) {
        while let chunk = plan.next({ request($0).entry(id: $0) }) {
          let chunk = chunk.only(start(chunk.indices))
          guard !chunk.indices.isEmpty else { continue }
          underWay.append(chunk)
          return post(chunk.body)
        }
        return nil
      } receive: { outcome in
        guard let chunk = underWay.popFirst() else { return false }
        if let failure = round.note(outcome) {
          unanswered.append((chunk, failure))
          return false
        }
        isSizeKnown = settle(outcome, of: chunk)
        if !isSizeKnown { split(chunk, &plan) }
        handOn()
        return mayGoOn && isSizeKnown && !isTrying
      }
      conclude(round, unanswered, &plan)
      handOn()
    }
  }

  /// Fails the batches without an answer. If there may have been too many at once, only those that may have arrived
  /// fail: the others go back into the plan, and the rest is sent as another push, since the server would wait for the
  /// missing ones.
  private func conclude(
    _ round: SendingRound, _ unanswered: [(chunk: BatchPlan.Chunk, failure: RemoteFailure)], _ plan: inout BatchPlan
  ) {
    guard narrow(after: round) else {
      for (chunk, failure) in unanswered { ledger.fail(chunk.indices, failure) }
      return
    }
    for (chunk, failure) in unanswered where failure.mayHaveActed { ledger.failAside(chunk.indices, failure) }
    plan.putBack(unanswered.filter { !$0.failure.mayHaveActed }.map(\.chunk))
    renamePush()
  }

  /// The server may never have seen a batch that was too large for something on the way, and would wait for it: what
  /// follows is another push to it.
  private func split(_ chunk: BatchPlan.Chunk, _ plan: inout BatchPlan) {
    plan.takeBack(chunk)
    renamePush()
  }

  /// Lets the server take what follows for another push, which waits for nothing of this one.
  private func renamePush() {
    if push != nil { (push, batches) = (settings.newID(), 0) }
  }

  /// Notes the outcome of one batch. Returns false if it was too large and may go again in parts.
  private func settle(_ outcome: HTTPOutcome, of chunk: BatchPlan.Chunk) -> Bool {
    switch outcome.map({ BatchAnswer($0, from: origin) }) {
    case .success(.answered(let answers, let move)):
      for index in chunk.indices {
        if let answer = answers[index] { ledger.settle(index, answer, move: move) }
      }
    case .success(.unsupported):
      use.suspectUnsupported()
    case .success(.hidden):
      ledger.expose(chunk.indices)
      use.suspectUnsupported()
    case .success(.refused):
      use.noteRefusal()
    case .success(.tooLarge):
      return chunk.indices.count < 2
    case .success(.failed(let failure)), .failure(let failure):
      ledger.fail(chunk.indices, failure)
    }
    return true
  }

  /// After a batch that something on the way may have answered, the first change shows whether the server is there.
  private func sendAlone() {
    if use.isSuspected { sendAlone(ledger.open.prefix(1)) }
    while goesOn, sendAlone(ledger.open[...]) {}
  }

  /// Returns true if the failures may come from too many requests at once. Changes that surely did not arrive are open
  /// then.
  @discardableResult
  private func sendAlone(_ indices: ArraySlice<Int>) -> Bool {
    var round = SendingRound(width: width.current)
    var unanswered: [(index: Int, failure: RemoteFailure)] = []
    transport.exchange(indices, atOnce: round.width) {
      start([$0]).first.map { exchange(request($0)) }
    } receive: { index, outcome in
      if let failure = round.note(outcome) {
        unanswered.append((index, failure))
        return false
      }
      settle(outcome, of: index)
      if ledger.news.count >= Self.part { handOn() }
      return goesOn && ledger.ended == nil
    }
    guard narrow(after: round) else {
      for (index, failure) in unanswered { ledger.fail([index], failure) }
      return false
    }
    for (index, failure) in unanswered where failure.mayHaveActed { ledger.failAside([index], failure) }
    return true
  }

  /// Notes the outcome of a request for one change.
  func settle(_ outcome: HTTPOutcome, of index: Int) {
    switch outcome {
    case .success(let answer):
      if let failure = origin.failure(answer, to: request(index).method) {
        ledger.fail([index], failure)
      } else if ledger.settle(index, answer, move: answer.move, isAlone: true).provesServer {
        use.noteAnswer()
      }
    case .failure(let failure):
      ledger.fail([index], failure)
    }
  }

  private func post(_ body: [UInt8]) -> HTTPExchange {
    var fields = headers.fields(hasBody: true)
    fields.add(name: "OData-Version", value: "4.01")
    if let push { fields.add(name: ZumoHeader.sequence, value: "\(push);\(batches)") }
    batches += 1
    return HTTPExchange(method: .POST, path: address.batchPath, headers: fields, body: body)
  }

  func exchange(_ request: ChangeRequest) -> HTTPExchange {
    var fields = headers.fields(hasBody: request.body != nil)
    if let base = request.precondition { fields.add(name: "If-Match", value: base.entityTag) }
    return HTTPExchange(method: request.method, path: request.path, headers: fields, body: request.body)
  }
}

extension ChangeRequest.Server {
  /// A server of ours merges whatever it speaks.
  init(_ headers: ClientHeaders, mergesUpdates: Bool?) {
    let isOurs = headers.database != nil
    self.init(version: headers.version, isOurs: isOurs, merges: isOurs || mergesUpdates == true)
  }
}
