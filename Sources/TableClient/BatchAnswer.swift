import OfflineSync
import TableProtocol

/// What came of posting a batch, and what is to be done next (table-protocol 18.4).
enum BatchAnswer {
  /// The answers by the id of the entry. Those that have none were not run.
  case answered([Int: ServerAnswer])
  /// The server knows no batches; none of it was run.
  case unsupported
  /// None of it was run.
  case tooLarge
  /// The server did not understand the batch; none of it was run.
  case refused
  /// It says nothing of the entries, or cannot be read.
  case failed(RemoteFailure)

  init(_ answer: ServerAnswer) {
    switch answer.status {
    case 200..<300: self.init(body: answer.body)
    case 404, 405, 415, 501: self = .unsupported
    case 413: self = .tooLarge
    case 400: self = .refused
    default: self = .failed(RemoteFailure(answer: answer))
    }
  }

  private init(body: [UInt8]) {
    do {
      guard let responses = try BatchResponse.all(in: body) else {
        self = .unsupported
        return
      }
      let numbered = responses.compactMap { response in Int(response.id).map { ($0, ServerAnswer(response)) } }
      self = .answered(Dictionary(numbered) { first, _ in first })
    } catch {
      self = .failed(RemoteFailure(.badAnswer("the answer to the batch can't be read"), mayHaveActed: true))
    }
  }
}
