import NIOHTTP1
import OfflineSync
import TableProtocol

/// The outcome of posting a batch (wire 18.4).
enum BatchAnswer {
  /// The answers by the id of the entry, and what the batch did as a whole. Entries without an answer were not run.
  case answered([Int: ServerAnswer], ListMove?)
  /// The server knows no batches, or something on the way passes none on; none of it was run.
  case unsupported
  /// Something on the way answered in place of the server, which may have the batch all the same.
  case hidden
  /// None of it was run.
  case tooLarge
  /// The server did not understand the batch; none of it was run.
  case refused
  /// The answer is not about the entries, or can't be read.
  case failed(RemoteFailure)

  init(_ answer: ServerAnswer, from origin: AnswerOrigin) {
    if let failure = origin.failure(answer, to: .POST) {
      // Something on the way may treat the URL of batches alone like this. A change that is sent by itself finds out
      // whether the server is there.
      self = (failure.isFromElsewhere ? Self.fromElsewhere(answer.status) : nil) ?? .failed(failure)
      return
    }
    switch answer.status {
    case 200..<300: self.init(read: answer)
    // 403: what is not allowed may be batches.
    case 403, 404, 405, 415, 501: self = .unsupported
    case 413: self = .tooLarge
    case 401, 408, 421, 429: self = .failed(RemoteFailure(wholeBatch: answer))
    case 400..<500: self = .refused
    default: self = .failed(RemoteFailure(wholeBatch: answer))
    }
  }

  private static func fromElsewhere(_ status: Int) -> BatchAnswer? {
    switch status {
    // A proxy refuses or redirects with these what it does not pass on.
    case 301, 302, 303, 307, 308, 400, 403, 404, 405, 406, 415, 501: .unsupported
    case 200..<300, 500: .hidden
    default: nil
    }
  }

  private init(read answer: ServerAnswer) {
    do {
      guard let responses = try BatchResponse.all(in: answer.body) else {
        self = .unsupported
        return
      }
      let numbered = responses.compactMap { response in Int(response.id).map { ($0, ServerAnswer(response)) } }
      self = .answered(Dictionary(numbered) { first, _ in first }, answer.move)
    } catch {
      self = .failed(RemoteFailure(.badAnswer("the answer to the batch can't be read"), mayHaveActed: true))
    }
  }
}

extension RemoteFailure {
  /// Another than the server has answered.
  fileprivate var isFromElsewhere: Bool {
    switch reason {
    case .notTheServer, .refusedOnTheWay, .notAllowed, .serverError: true
    case .noServer, .unreachable, .noSignIn, .signInNeeded, .busy, .badAnswer, .otherDatabase, .otherEpoch,
      .alteredAnswer:
      false
    }
  }

  /// The server failed over the request as a whole, and so over the next one: none of the changes in it is to blame.
  fileprivate init(wholeBatch answer: ServerAnswer) {
    let failure = RemoteFailure(answer: answer)
    self.init(failure.reason, mayHaveActed: failure.mayHaveActed, concernsAll: true)
  }
}
