import OfflineSync
import TableProtocol

/// The way from one device to the server, with its weather.
struct Line: RemoteTable {
  let world: World
  let device: Int

  let server = "http://world.example"
  var knowledge: ServerKnowledge { ServerKnowledge(protocolVersion: world.settings.server.version) }
  var traffic: Traffic {
    var traffic = Traffic()
    traffic.requests = world.devices[device].requests
    return traffic
  }

  /// Outcomes are handed on in parts, so that a program may die between them.
  func send(_ changes: [RemoteChange], settle: ([SettledChange]) -> Bool) {
    switch world.settings.travel {
    case .inBatches: several(changes, atOnce: 10, settle) { batch($0) }
    case .oneByOne: several(changes, atOnce: 1, settle) { together($0) }
    case .inPairs: several(changes, atOnce: 2, settle) { together($0) }
    }
  }

  private func batch(_ changes: [RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>] {
    let trace = "BATCH " + changes.map(\.trace).joined(separator: ", ")
    do throws(RemoteFailure) {
      return try request(trace, changes) { world in changes.map { .success(act(on: $0, world)) } }
    } catch {
      return changes.map { _ in .failure(error) }
    }
  }

  /// Group after group. After a failure that concerns all nothing more is sent.
  private func several(
    _ changes: [RemoteChange], atOnce size: Int, _ settle: ([SettledChange]) -> Bool,
    _ send: ([RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>]
  ) {
    var end: RemoteFailure?
    for start in stride(from: 0, to: changes.count, by: size) {
      let group = Array(changes[start..<min(start + size, changes.count)])
      let outcomes = end.map { end in group.map { _ in .failure(end.unsent) } } ?? send(group)
      for case .failure(let failure) in outcomes where failure.concernsAll { end = end ?? failure }
      let part = outcomes.enumerated().map { SettledChange(index: start + $0.offset, outcome: $0.element) }
      guard settle(part) else { return }
    }
  }

  /// Changes that are under way at the same time; the last is acted on first.
  private func together(_ group: [RemoteChange]) -> [Result<RemoteAnswer, RemoteFailure>] {
    group.reversed().map { change in
      // The program may have died while the other request was on its way.
      world.devices[device].isDead
        ? .failure(Self.cut)
        : Result { () throws(RemoteFailure) in try request(change.trace, [change]) { act(on: change, $0) } }
    }.reversed()
  }

  private func act(on change: RemoteChange, _ world: World) -> RemoteAnswer {
    world.server.apply(change, at: world.serverClock, by: .device(device))
  }

  func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? {
    try request("GET \(id)") { $0.server.rows[id]?.record }
  }

  func page(_ query: TableQuery, at link: PageLink?) throws(RemoteFailure) -> RemotePage {
    try request("LIST") { $0.server.page(query) }
  }

  private func request<Answer>(
    _ trace: String, _ changes: [RemoteChange] = [], _ act: (World) -> Answer
  ) throws(RemoteFailure) -> Answer {
    let device = world.devices[device]
    if device.isDead && device.diedWaiting { throw Self.cut }
    if device.isDead { world.blame(.deadProgram, "device \(device.number) is dead and sends \(trace)") }
    let number = device.beginRequest()
    device.isWaiting = true
    defer { device.isWaiting = false }
    world.passRequest(trace, of: device)
    world.perform(device.takeSteps(of: number, .beforeServerActs))
    let result = answer(under: device.takeWeather(of: number), changes, act)
    world.perform(device.takeSteps(of: number, .afterServerActed))
    // A program that died while it waited gets no answer.
    if device.isDead { throw Self.cut }
    return try result.get()
  }

  private func answer<Answer>(
    under weather: Weather?, _ changes: [RemoteChange], _ act: (World) -> Answer
  ) -> Result<Answer, RemoteFailure> {
    if weather != nil { world.faults += 1 }
    switch weather {
    case nil: return .success(act(world))
    case .unreachable: return .failure(RemoteFailure(.unreachable("name not found"), mayHaveActed: false))
    case .cutBeforeArrival: return .failure(Self.cut)
    case .cutBeforeAnswer:
      _ = act(world)
      return .failure(Self.cut)
    case .delayed:
      world.delayed += changes.map { ($0, .device(device)) }
      return .failure(Self.cut)
    case .twiceFirstAnswer:
      let answer = act(world)
      _ = act(world)
      return .success(answer)
    case .twiceSecondAnswer:
      _ = act(world)
      return .success(act(world))
    case .tooManyRequests: return .failure(RemoteFailure(.busy(status: 429, retryAfter: 1), mayHaveActed: false))
    case .unavailable: return .failure(RemoteFailure(.busy(status: 503, retryAfter: nil), mayHaveActed: false))
    case .failureAfterActing:
      _ = act(world)
      return .failure(RemoteFailure(.serverError(status: 500, message: "oops"), mayHaveActed: true))
    }
  }

  private static let cut = RemoteFailure(.unreachable("connection cut"), mayHaveActed: true)
}

extension RemoteChange {
  fileprivate var trace: String {
    switch self {
    case .insert(_, let record): "POST \(record.id)"
    case .update(_, let whole, _, let base): "PUT \(whole.id) if \(base?.text ?? "any")"
    case .delete(_, let id, let base): "DELETE \(id) if \(base?.text ?? "any")"
    case .undelete(_, let whole, _, let base): "REVIVE \(whole.id) if \(base?.text ?? "any")"
    }
  }
}
