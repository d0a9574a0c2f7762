import Chance

/// What happens in bad weather: refreshes whose lines are cut, and programs that are killed.
extension HardWeatherStory {
  mutating func step() async throws {
    if server == nil, chance.once(in: 2) { try await startServer() }
    switch chance.number(1...100) {
    case ...46: try await change(chance.pick(devices))
    case ...50: try await manyChanges(chance.pick(devices))
    case ...66: try await cutSync(chance.pick(devices))
    case ...74: try await killedSync(chance.pick(devices))
    case ...83: try await changesDuringSync(chance.pick(devices))
    case ...91: try await syncsTogether()
    default: try await serverDies()
    }
  }

  private mutating func manyChanges(_ device: Device) async throws {
    for _ in 1...chance.number(3...6) { try await add(device) }
    try await cutSync(device)
  }

  private mutating func cutSync(_ device: Device) async throws {
    let sync = try startSync(device)
    try await sync.end(allowing: Self.syncEnds)
  }

  private mutating func killedSync(_ device: Device) async throws {
    let delay = chance.once(in: 3) ? nil : chance.number(0...120)
    let place = chance.number(0...2)
    let sync = try startSync(
      device, delay == nil ? Array(repeating: nil, count: place) + [.silent] : [],
      ", killed \(delay.map { "after \($0) ms" } ?? "when answer \(place + 1) is on the way")")
    if let delay {
      try await pause(delay)
    } else {
      try await wait(for: sync) { $0.swallowed > 0 }
    }
    sync.kill()
    try expectSound(device.file, device.name)
  }

  /// The first request is held back until the changes are made, so that it is plain what they were made upon.
  private mutating func changesDuringSync(_ device: Device) async throws {
    proxy.hold()
    let sync = try startSync(device, remark: ", held back at first")
    try await wait(for: sync) { $0.arrived > 0 }
    for _ in 1...chance.number(1...3) { try await change(device) }
    let isKilled = chance.once(in: 4)
    if isKilled { sync.kill() }
    proxy.release()
    if isKilled { note("  and then killed") } else { try await sync.end(allowing: Self.syncEnds) }
    try expectSound(device.file, device.name)
  }

  private mutating func syncsTogether() async throws {
    let syncs = [try startSync(devices[0]), try startSync(devices[1], []), try startSync(devices[2], [])]
    if chance.once(in: 4) {
      try await pause(chance.number(20...120))
      try await killServer()
    }
    for sync in syncs { try await sync.end(allowing: Self.syncEnds) }
  }

  private mutating func serverDies() async throws {
    guard server != nil, !chance.once(in: 4) else { return try await killServer() }
    let sync = try startSync(chance.pick(devices), [])
    try await pause(chance.number(20...120))
    try await killServer()
    try await sync.end(allowing: Self.syncEnds)
  }
}

extension HardWeatherStory {
  /// Done, done with conflicts, and not reachable.
  private static let syncEnds: Set<Int32> = [0, 2, 69]

  /// Starts a sync whose first requests fare as drawn.
  private mutating func startSync(_ device: Device, remark: String = "") throws -> RunningProgram {
    let forecast: [Cut?] = (0..<chance.number(1...3)).map { _ in
      chance.once(in: 3) ? nil : chance.pick([.unheard, .halfHeard, .unanswered, .unanswered, .halfAnswered])
    }
    return try startSync(device, forecast, remark)
  }

  private mutating func startSync(_ device: Device, _ forecast: [Cut?], _ remark: String = "") throws -> RunningProgram
  {
    let words = ["sync"] + (chance.once(in: 6) ? ["--full"] : chance.once(in: 8) ? ["--push-only"] : [])
    let fares = forecast.isEmpty ? "" : ": " + forecast.map { $0.map { "\($0)" } ?? "fair" }.joined(separator: ", ")
    note("\(device.name): \(words.joined(separator: " "))\(remark)\(fares)")
    proxy.forecast(forecast)
    return try RunningProgram(device, words)
  }

  private func wait(for sync: RunningProgram, until condition: (WeatherProxy) -> Bool) async throws {
    _ = try await waitFor {
      condition(proxy) || sync.hasEnded() ? true : nil
    } otherwise: {
      "the sync did not get so far"
    }
  }

  /// A drawn while before something is killed.
  private func pause(_ milliseconds: Int) async throws {
    try await ContinuousClock().sleep(for: .milliseconds(milliseconds))
  }
}
