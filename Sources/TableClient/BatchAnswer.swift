import NIOHTTP1
import OfflineSync
import TableProtocol

/// The outcome of posting a batch (wire 18.4).
enum BatchAnswer {
  /// The outcomes by the id of the entry, and what the batch did as a whole. Entries without an outcome were not run.
  case answered([Int: ChangeOutcome], ListMove?)
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

  /// `changes` are those that entries may be about: the id of an entry is its place among them.
  init(_ answer: ServerAnswer, from origin: AnswerOrigin, to changes: [RemoteChange], rows: ServerRows) {
    if let failure = origin.failure(answer, to: .POST) {
      // Something on the way may treat the URL of batches alone like this. A change that is sent by itself finds out
      // whether the server is there.
      self = (failure.isFromElsewhere ? Self.fromElsewhere(answer.status) : nil) ?? .failed(failure)
      return
    }
    switch answer.status {
    case 200..<300: self.init(read: answer, to: changes, rows: rows)
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

  private init(read answer: ServerAnswer, to changes: [RemoteChange], rows: ServerRows) {
    do {
      guard let responses = try BatchResponse.all(in: answer.body) else {
        self = .unsupported
        return
      }
      var outcomes: [Int: ChangeOutcome] = Dictionary(minimumCapacity: responses.count)
      for response in responses {
        // Of two answers to one entry the first counts.
        guard let index = Int(response.id), changes.indices.contains(index), outcomes[index] == nil else { continue }
        outcomes[index] = ChangeOutcome(ServerAnswer(response), to: changes[index], rows: rows)
      }
      self = .answered(outcomes, answer.move)
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
    case .noServer, .unreachable, .signInNeeded, .busy, .badAnswer, .otherDatabase, .otherEpoch, .alteredAnswer: false
    }
  }

  /// The server failed over the request as a whole, and so over the next one: none of the changes in it is to blame.
  fileprivate init(wholeBatch answer: ServerAnswer) {
    let failure = RemoteFailure(answer: answer)
    self.init(failure.reason, mayHaveActed: failure.mayHaveActed, concernsAll: true)
  }
}
