import TableStorage

/// Returns what `body` returns. Throws what it throws, and `StorageError.unreachable` if it takes longer than `limit`.
///
/// `body` is cancelled then, and not waited for: a database that is cut off may hold a read for minutes, also one that
/// was cancelled.
func withTimeLimit<Value: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let (answers, answer) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
  let working = Task.detached {
    do {
      answer.yield(.success(try await body()))
    } catch {
      answer.yield(.failure(error))
    }
  }
  let waiting = Task.detached {
    try await Task.sleep(for: limit)
    answer.yield(.failure(StorageError.unreachable("no answer in time")))
  }
  defer {
    working.cancel()
    waiting.cancel()
  }
  guard let first = await answers.first(where: { _ in true }) else { throw StorageError.interrupted }
  return try first.get()
}
