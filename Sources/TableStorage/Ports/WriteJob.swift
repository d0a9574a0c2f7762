/// A writer that waits for a transaction, which it may share with others. `List` is a list as its storage has it.
struct WriteJob<List: EditableList & SendableMetatype>: Sendable {
  let lists: [ListID]
  /// Does its work, and returns what says so to the writer, once that is committed. May be called again.
  let run: @Sendable ([List]) throws -> @Sendable () -> Void
  /// Says to the writer why it failed. Either this or what ``run`` returned is called, and once.
  let fail: @Sendable (any Error) -> Void

  /// Hands a job to `queue`, and returns what `body` returned when it is committed.
  static func wait<Value: Sendable>(
    for lists: [ListID], _ body: @escaping @Sendable ([any EditableList]) throws -> Value,
    queue: (WriteJob) -> Void
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let job = WriteJob(lists: lists) { lists in
        let value = try body(lists)
        return { continuation.resume(returning: value) }
      } fail: {
        continuation.resume(throwing: $0)
      }
      queue(job)
    }
  }
}
