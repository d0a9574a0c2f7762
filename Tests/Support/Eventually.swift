import Foundation

/// A test waited for something in vain.
package struct NeverCame: Error, CustomStringConvertible {
  package let description: String
}

/// Asks again and again until there is an answer. If none comes in time, it throws `NeverCame` with the sentence.
package func eventually<Value>(
  within patience: Duration = .seconds(30), otherwise sentence: String = "No answer came in time.",
  _ ask: () async throws -> Value?
) async throws -> Value {
  let pause = Duration.milliseconds(100)
  for _ in 0..<Int(patience / pause) {
    if let value = try await ask() { return value }
    try await Task.sleep(for: pause)
  }
  throw NeverCame(description: sentence)
}
