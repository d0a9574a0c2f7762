import NIOHTTP1
import OfflineSync
import TableProtocol

/// Brings many changes to the server and its answers back, in batches where the server takes them,
/// else several requests at once.
///
/// Not to be used twice: it counts the batches of one push.
final class ChangeSender {
  /// Single requests under way at once.
  static let width = 6
  /// Batches under way at once, to a server that acts on them in the order they were made: one is written
  /// while the next is read and the one after travels.
  static let batchWidth = 3
  /// This many failures one after another end the sending.
  static let mostFailures = 3
  /// Outcomes of single requests that are handed on together: each part is a transaction of the store.
  private static let part = 50

  private let transport: HTTPTransport
  private let address: ServerAddress
  private let headers: ClientHeaders
  private let use: BatchUse
  private let settings: ClientSettings
  private let settle: ([SettledChange]) -> Bool
  private let requests: [ChangeRequest]
  private var ledger: SendingLedger
  private var goesOn = true
  /// Names the batches of this push; nil for a server that does not put them in order.
  private let push: String?
  private var batches = 0

  init(
    _ changes: [RemoteChange], transport: HTTPTransport, address: ServerAddress, headers: ClientHeaders,
    use: BatchUse, settings: ClientSettings, settle: @escaping ([SettledChange]) -> Bool
  ) {
    self.transport = transport
    self.address = address
    self.headers = headers
    self.use = use
    self.settings = settings
    self.settle = settle
    requests = changes.map {
      ChangeRequest($0, version: headers.version, merges: headers.database != nil, address: address)
    }
    ledger = SendingLedger(changes)
    push = headers.database == nil ? nil : settings.newID()
  }

  /// Sends the changes, which are of different records, and hands on their outcomes as they come.
  func run() {
    if requests.count > 1 {
      if use.support == nil, settings.probesForBatches { probe() }
      if case .json(let entries, let bytes) = use.support {
        sendBatches(BatchPlan(requests, entries: entries, bytes: bytes).chunks)
      }
    }
    if goesOn { sendAlone() }
    if goesOn { ledger.finish() }
    // Also where nothing more is wanted: what was under way has an outcome that must not be lost.
    handOn()
  }

  private func handOn() {
    let news = ledger.takeNews()
    if !news.isEmpty { goesOn = settle(news) && goesOn }
  }

  /// Posts batches, and those that were too large again in halves. What is open then is to be sent alone.
  private func sendBatches(_ chunks: [BatchPlan.Chunk]) {
    var waiting = chunks
    while !waiting.isEmpty, goesOn, ledger.ended == nil, use.support != .unsupported {
      let now = waiting
      waiting = []
      transport.exchange(now.count, atOnce: push == nil ? 1 : Self.batchWidth) {
        post(now[$0].body)
      } take: { index, outcome in
        waiting += settle(outcome, of: now[index])
        handOn()
        return goesOn && ledger.ended == nil && use.support != .unsupported
      }
    }
  }

  /// Takes note of the outcome of one batch; gives the batches to send in its place.
  private func settle(_ outcome: HTTPOutcome, of chunk: BatchPlan.Chunk) -> [BatchPlan.Chunk] {
    switch outcome.map(BatchAnswer.init) {
    case .success(.answered(let answers)):
      for index in chunk.indices { answers[index].map { ledger.settle(index, $0) } }
    case .success(.unsupported):
      use.found(.unsupported)
    case .success(.refused):
      use.refused()
    case .success(.tooLarge):
      return chunk.indices.count > 1 ? chunk.halves : []
    case .success(.failed(let failure)), .failure(let failure):
      ledger.fail(chunk.indices, failure)
    }
    return []
  }

  private func sendAlone() {
    let open = ledger.open
    transport.exchange(open.count, atOnce: Self.width) {
      exchange(requests[open[$0]])
    } take: { index, outcome in
      switch outcome {
      case .success(let answer): ledger.settle(open[index], answer, isAlone: true)
      case .failure(let failure): ledger.fail([open[index]], failure)
      }
      if ledger.news.count >= Self.part { handOn() }
      return goesOn && ledger.ended == nil
    }
  }

  /// An empty batch does no harm to any server.
  private func probe() {
    transport.exchange(1, atOnce: 1) { _ in
      post(BatchBody.bytes([]))
    } take: { _, outcome in
      switch outcome.map(BatchAnswer.init) {
      case .success(.answered): use.found(.unstated)
      case .success(.unsupported), .success(.refused), .success(.tooLarge): use.found(.unsupported)
      case .success(.failed), .failure: break
      }
      return true
    }
  }

  private func post(_ body: [UInt8]) -> HTTPExchange {
    var fields = headers.fields(hasBody: true)
    fields.add(name: "OData-Version", value: "4.01")
    if let push { fields.add(name: ZumoHeader.sequence, value: "\(push);\(batches)") }
    batches += 1
    return HTTPExchange(method: .POST, path: address.batchPath, headers: fields, body: body)
  }

  private func exchange(_ request: ChangeRequest) -> HTTPExchange {
    var fields = headers.fields(hasBody: request.body != nil)
    if let base = request.precondition { fields.add(name: "If-Match", value: base.entityTag) }
    return HTTPExchange(method: request.method, path: request.path, headers: fields, body: request.body)
  }
}
