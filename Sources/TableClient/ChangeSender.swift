import NIOHTTP1
import OfflineSync
import TableProtocol

/// Brings many changes to the server and its answers back, in batches where the server takes them,
/// else several requests at once.
struct ChangeSender {
  /// Single requests under way at once.
  static let width = 6
  /// Batches under way at once: one is written while the next is read and the one after travels.
  static let batchWidth = 3
  /// This many failures one after another end the sending.
  static let mostFailures = 3

  let transport: HTTPTransport
  let address: ServerAddress
  let headers: ClientHeaders
  let use: BatchUse
  /// Asks a server that has said nothing of batches whether it takes them (table-protocol 18.4).
  let probes: Bool

  /// The outcomes in the order of the changes, which are of different records.
  func outcomes(of changes: [RemoteChange]) -> [ChangeOutcome] {
    let requests = changes.map { ChangeRequest($0, version: headers.version, address: address) }
    var ledger = SendingLedger(changes)
    if requests.count > 1 {
      if use.support == nil, probes { probe() }
      if case .json(let entries, let bytes) = use.support {
        sendBatches(BatchPlan(requests, entries: entries, bytes: bytes).chunks, &ledger)
      }
    }
    sendAlone(requests, &ledger)
    return ledger.outcomes
  }

  /// Posts batches, and those that were too large again in halves. What is open then is to be sent alone.
  private func sendBatches(_ chunks: [BatchPlan.Chunk], _ ledger: inout SendingLedger) {
    var waiting = chunks
    while !waiting.isEmpty, ledger.ended == nil, use.support != .unsupported {
      let now = waiting
      waiting = []
      transport.exchange(now.count, atOnce: Self.batchWidth) {
        post(now[$0].body)
      } take: { index, outcome in
        waiting += settle(outcome, of: now[index], &ledger)
        return ledger.ended == nil && use.support != .unsupported
      }
    }
  }

  /// Takes note of the outcome of one batch; gives the batches to send in its place.
  private func settle(
    _ outcome: HTTPOutcome, of chunk: BatchPlan.Chunk, _ ledger: inout SendingLedger
  ) -> [BatchPlan.Chunk] {
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

  private func sendAlone(_ requests: [ChangeRequest], _ ledger: inout SendingLedger) {
    let open = ledger.open
    transport.exchange(open.count, atOnce: Self.width) {
      exchange(requests[open[$0]])
    } take: { index, outcome in
      switch outcome {
      case .success(let answer): ledger.settle(open[index], answer, isAlone: true)
      case .failure(let failure): ledger.fail([open[index]], failure)
      }
      return ledger.ended == nil
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
    return HTTPExchange(method: .POST, path: address.batchPath, headers: fields, body: body)
  }

  private func exchange(_ request: ChangeRequest) -> HTTPExchange {
    var fields = headers.fields(hasBody: request.body != nil)
    if let base = request.precondition { fields.add(name: "If-Match", value: base.entityTag) }
    return HTTPExchange(method: request.method, path: request.path, headers: fields, body: request.body)
  }
}
