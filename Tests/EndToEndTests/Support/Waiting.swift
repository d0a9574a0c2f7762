/// What a test could not find, with all that is needed to see why.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// How long anything may take before a test gives up, far beyond what it takes; no test asserts a duration.
enum Patience {
  static let long = Duration.seconds(60)
  static let step = Duration.milliseconds(10)
}

/// Asks again and again until there is an answer, and fails with what `otherwise` says when there is none in time.
func waitFor<Value>(
  within patience: Duration = Patience.long, _ ask: () async throws -> Value?, otherwise: () async -> String
) async throws -> Value {
  let clock = ContinuousClock()
  let deadline = clock.now + patience
  while true {
    if let value = try await ask() { return value }
    guard clock.now < deadline else { throw Failure(await otherwise()) }
    try await clock.sleep(for: Patience.step)
  }
}
