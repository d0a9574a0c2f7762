import OfflineSync
import TableProtocol

/// The way from one device to the server, with its weather.
struct Line: RemoteTable {
  let world: World
  let device: Int

  let server = "http://world.example"
  var protocolVersion: ProtocolVersion? { world.settings.server.version }
  var traffic: Traffic {
    var traffic = Traffic()
    traffic.requests = world.devices[device].requests
    return traffic
  }

  func send(_ change: RemoteChange) throws(RemoteFailure) -> RemoteAnswer {
    try request(change.trace, change) { world in
      world.server.apply(change, at: world.serverClock, by: .device(device))
    }
  }

  func read(_ id: String, in table: String) throws(RemoteFailure) -> Record? {
    try request("GET \(id)") { $0.server.rows[id]?.record }
  }

  func page(_ query: TableQuery) throws(RemoteFailure) -> RemotePage {
    try request("LIST") { $0.server.page(query) }
  }

  private func request<Answer>(
    _ trace: String, _ change: RemoteChange? = nil, _ act: (World) -> Answer
  ) throws(RemoteFailure) -> Answer {
    let device = world.devices[device]
    if device.isDead { world.blame(.deadProgram, "device \(device.number) is dead and sends \(trace)") }
    let number = device.beginRequest()
    world.passRequest(trace, of: device)
    world.perform(device.takeSteps(of: number, .beforeServerActs))
    let result = answer(under: device.takeWeather(of: number), change, act)
    world.perform(device.takeSteps(of: number, .afterServerActed))
    // A program that died while it waited gets no answer.
    if device.isDead { throw Self.cut }
    return try result.get()
  }

  private func answer<Answer>(
    under weather: Weather?, _ change: RemoteChange?, _ act: (World) -> Answer
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
      if let change { world.delayed.append((change, .device(device))) }
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
    }
  }
}
