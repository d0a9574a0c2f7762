import Foundation

/// Nothing came for half a minute.
package struct NeverCame: Error {}

/// Asks again and again until there is an answer.
package func eventually<Value>(_ ask: () async throws -> Value?) async throws -> Value {
  for _ in 0..<300 {
    if let value = try await ask() { return value }
    try await Task.sleep(for: .milliseconds(100))
  }
  throw NeverCame()
}
