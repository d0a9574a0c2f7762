import Foundation

/// Runs code that blocks on a thread of its own: the threads of the tests, and those of Dispatch, are
/// few, and a server under test may need them for its answer.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(with: Result { try body() })
    }
  }
}
