import Dispatch

/// Runs code that blocks on a thread that may be blocked: the threads of the tests themselves are
/// few, and a server under test may need them for its answer.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async {
      continuation.resume(with: Result { try body() })
    }
  }
}
