import OfflineSync
import TableProtocol

/// The way from one program on a device to a server, with its weather.
struct Line: RemoteTable {
  let world: World
  let device: Int
  let program: Int
  let home: Home
  let window: Int

  var server: String { world.address(of: home) }
  var user: String { world.devices[device].user }
  var knowledge: ServerKnowledge {
    ServerKnowledge(protocolVersion: world.settings.server.version, database: database, epoch: heard)
  }
  /// What its changes are meant for: those of another epoch are refused.
  private var heard: DatabaseEpoch? {
    if let heard = world.devices[device].heard[window][server] { return heard }
    let known = world.devices[device].knownEpoch(of: server)
    world.devices[device].heard[window][server] = .some(known)
    return known
  }
  var traffic: Traffic {
    var traffic = Traffic()
    traffic.requests = world.devices[device].requests
    return traffic
  }

  private var database: String? { world.database(at: home) }
  /// What is asked while the database is empty shows a device another list than its own.
  private var answerer: SimulatedServer {
    let server = world.server(at: home)
    if server.isEmptied { world.devices[device].gaps.insert(.list) }
    return server
  }

  func identify(_ table: String, before changes: Int) -> String? {
    receive(answerer.announcedEpoch)
    return database
  }

  func interrupt() { world.devices[device].programs[program].isInterrupted = true }

  /// Outcomes are handed on in parts, so that a program may die between them.
  func send(_ changes: [RemoteChange], starting: ([Int]) -> [Int], settle: ([SettledChange]) -> Bool) {
    switch world.settings.travel {
    case .inBatches: several(changes, atOnce: 10, starting, settle) { batch($0) }
    case .oneByOne: several(changes, atOnce: 1, starting, settle) { together($0) }
    case .inPairs:
      let eachAlone: ([Int]) -> [Int] = { indices in indices.flatMap { starting([$0]) } }
      several(changes, atOnce: 2, eachAlone, settle) { together($0) }
    }
  }

  private func batch(_ changes: [RemoteChange]) -> [Outcome] {
    let trace = "BATCH " + changes.map(\.trace).joined(separator: ", ")
    do throws(RemoteFailure) {
      let (answers, move) = try request(
        trace, changes, { () throws(RemoteFailure) in try checkEpoch { moving { changes.map(act) } } },
        orRefuse: { () throws(RemoteFailure) in try checkEpoch { (changes.map(refuse), nil) } })
      receive(answerer.announcedEpoch)
      return answers.map { Outcome(result: .success($0), move: move) }
    } catch {
      return changes.map { _ in Outcome(result: .failure(error)) }
    }
  }

  private struct Outcome {
    let result: Result<RemoteAnswer, RemoteFailure>
    var move: ListMove?
  }

  /// What a server of ours says that it did (`x-ebb-moved`), beside what it did.
  private func moving<Answer>(_ act: () -> Answer) -> (Answer, ListMove?) {
    let server = answerer
    let (from, writes) = (server.lastMoment, server.stamps.count)
    let answer = act()
    let rows = server.stamps.count - writes
    guard server.isOrdered, rows > 0 else { return (answer, nil) }
    return (answer, ListMove(from: from, to: server.lastMoment, rows: rows, digest: server.digest))
  }

  /// Group after group. After a failure that concerns all nothing more is sent.
  private func several(
    _ changes: [RemoteChange], atOnce size: Int, _ starting: ([Int]) -> [Int],
    _ settle: ([SettledChange]) -> Bool,
    _ send: ([RemoteChange]) -> [Outcome]
  ) {
    var end: RemoteFailure?
    for start in stride(from: 0, to: changes.count, by: size) {
      let indices = Array(start..<min(start + size, changes.count))
      let group = end == nil ? starting(indices) : indices
      if group.isEmpty { continue }
      let outcomes =
        end.map { end in group.map { _ in Outcome(result: .failure(end.unsent)) } } ?? send(group.map { changes[$0] })
      for case .failure(let failure) in outcomes.map(\.result) where failure.concernsAll { end = end ?? failure }
      let part = zip(group, outcomes).map { SettledChange(index: $0, outcome: $1.result, move: $1.move) }
      guard settle(part) else { return }
    }
  }

  /// Changes that are under way at the same time; the last is acted on first.
  private func together(_ group: [RemoteChange]) -> [Outcome] {
    group.reversed().map { change in
      // The program may have died, or was told to stop, while the other request was on its way.
      let ended = world.devices[device].programs[program]
      if ended.isDead || ended.cancellation.isCancelled { return Outcome(result: .failure(Self.cut)) }
      do throws(RemoteFailure) {
        let (answer, move) = try request(
          change.trace, [change], { () throws(RemoteFailure) in try checkEpoch { moving { act(on: change) } } },
          orRefuse: { () throws(RemoteFailure) in try checkEpoch { (refuse(change), nil) } })
        receive(answerer.announcedEpoch)
        return Outcome(result: .success(answer), move: move)
      } catch {
        return Outcome(result: .failure(error))
      }
    }.reversed()
  }

  func expect(_ reached: Timestamp?) { world.devices[device].programs[program].reached = reached }

  private var meant: Meant { Meant(epoch: heard, reached: world.devices[device].programs[program].reached) }

  private func receive(_ epoch: DatabaseEpoch?) {
    guard let epoch else { return }
    // What was denied is sent again after the comparison.
    if heard != epoch { world.devices[device].forgetDenials() }
    world.devices[device].heard[window][server] = epoch
  }

  /// Another state than the one they are meant for runs none of the changes.
  private func checkEpoch<Answer>(_ act: () -> Answer) throws(RemoteFailure) -> Answer {
    guard answerer.takes(meant) else { throw RemoteFailure(.otherEpoch, mayHaveActed: false) }
    return act()
  }

  private func act(on change: RemoteChange) -> RemoteAnswer {
    if let other = otherAnswer(to: change) { return other }
    let answer = world.apply(change, meant: meant, to: answerer, by: .device(device))
    // The next program may have sent it again while this one's request was on its way, and got another answer.
    if case .accepted = answer, world.devices[device].programs[program].isDead { world.noteLate(change, of: device) }
    return note(answer, to: change)
  }

  /// The answer to an earlier change of the row: its own, if it is an update now, or that of another device, if it is a
  /// delete. Nil where it gets the right one. Of the other cases nothing shows that the answer is a wrong one.
  private func otherAnswer(to change: RemoteChange) -> RemoteAnswer? {
    let device = world.devices[device]
    guard device.otherAnswers > 0, home == .first, let stored = answerer.rows[change.id], !stored.deleted else {
      return nil
    }
    let row = answerer.record(stored)
    switch change {
    case .update(_, _, _, let base) where base == row.system.version: break
    case .delete(_, _, let base?) where base != row.system.version: break
    case .insert, .update, .delete, .undelete: return nil
    }
    device.otherAnswers -= 1
    // With an error in place of that answer, it is as if the server had refused the change.
    world.refusals.insert(Holding(device: self.device, item: change.id))
    world.trace?.append("      it is answered with the row as it is")
    return .accepted(row)
  }

  private func refuse(_ change: RemoteChange) -> RemoteAnswer { note(SimulatedServer.refusal, to: change) }

  private func note(_ answer: RemoteAnswer, to change: RemoteChange) -> RemoteAnswer {
    if case .refused = answer { world.refusals.insert(Holding(device: device, item: change.id)) }
    return answer
  }

  func read(_ id: RecordID, in table: String) throws(RemoteFailure) -> Record? {
    let (row, epoch) = try request("GET \(id)") { () throws(RemoteFailure) in
      (try answerer.row(id, meant: meant, at: world.serverClock), answerer.announcedEpoch)
    }
    world.noteSurprise(of: answerer)
    receive(epoch)
    return row
  }

  func page(_ query: TableQuery, at link: PageLink?, verifying: Bool) throws(RemoteFailure) -> RemotePage {
    let page = try request("LIST") { () throws(RemoteFailure) in
      var page = try listed(query, at: link)
      page.serverTime = Timestamp(milliseconds: world.serverClock / 1_000_000 * 1_000)
      return page
    }
    world.noteSurprise(of: answerer)
    receive(page.epoch)
    world.noteClock(of: answerer, for: world.devices[device])
    world.devices[device].gotList = true
    return page
  }

  private func listed(_ query: TableQuery, at link: PageLink?) throws(RemoteFailure) -> RemotePage {
    let device = world.devices[device]
    guard device.staleLists > 0, home == .first, let kept = answerer.keptPage(query) else {
      return try answerer.page(query, at: link, meant: meant, at: world.serverClock)
    }
    device.staleLists -= 1
    (device.isStale, device.mayMistake, device.metOldList) = (true, true, true)
    // Rows that were written since come later in the order of times, if the server's clock gives one. A walk by id
    // passes them, and takes away what is not in the list yet.
    let isInOrder = world.settings.server.hasRisingClock && !world.hadLateWrites
    if !isInOrder || query.order.first != SortKey(SystemColumn.updatedAt) { device.gaps.insert(.list) }
    world.noteOldList(answerer.revivedSinceKept)
    return kept
  }

  /// `refused` is the answer of a server that will have none of it; nil for a question, which it answers.
  private func request<Answer>(
    _ trace: String, _ changes: [RemoteChange] = [], _ act: () throws(RemoteFailure) -> Answer,
    orRefuse refused: (() throws(RemoteFailure) -> Answer)? = nil
  ) throws(RemoteFailure) -> Answer {
    let device = world.devices[device]
    try checkBeginning(of: trace, device, sending: changes)
    let number = device.beginRequest()
    device.programs[program].isInterrupted = false
    device.programs[program].isWaiting = true
    defer { device.programs[program].isWaiting = false }
    world.passRequest(trace, of: device, to: home)
    world.perform(device.takeSteps(of: number, .beforeServerActs), at: device)
    let weather = Storm(weather: device.takeWeather(of: number), world: world, changes: changes, meant: meant)
    let result = weather.answer(by: .device(self.device), home, act: act, refuse: refused)
    world.perform(device.takeSteps(of: number, .afterServerActed), at: device)
    if hasEnded(device) { throw Self.cut }
    switch result {
    case .success: device.denied.subtract(changes.map(\.id))
    case .failure(let failure) where failure.isDenial: device.noteDenial(of: changes.map(\.id))
    case .failure: break
    }
    return try result.get()
  }

  /// A program that died while it waited gets no answer, nor one that was told to stop.
  private func hasEnded(_ device: SimulatedDevice) -> Bool {
    device.programs[program].isDead || device.programs[program].isInterrupted
  }

  private func checkBeginning(
    of trace: String, _ device: SimulatedDevice, sending changes: [RemoteChange]
  ) throws(RemoteFailure) {
    let state = device.programs[program]
    // It may die at a note about an answer, which fails without a word; a question after that changes nothing.
    if state.isDead && (state.diedWaiting || changes.isEmpty) { throw Self.cut }
    if state.isDead { world.blame(.deadProgram, "device \(device.number) is dead and sends \(trace)") }
    if state.cancellation.isCancelled {
      world.blame(.cancelled, "device \(device.number) was told to stop and sends \(trace)")
    }
    world.checkOwner(of: device, sending: trace, to: home)
    if !changes.isEmpty, device.owner == nil {
      world.blame(.accounts, "device \(device.number) sends \(trace) before it is known whose list it has")
    }
    // The server refuses requests that are meant for another database.
    if world.hasOtherDatabase, home == .first, let known = device.knownDatabase(of: server), known != database {
      throw RemoteFailure(.otherDatabase, mayHaveActed: false)
    }
  }

  static let cut = RemoteFailure(.unreachable("connection cut"), mayHaveActed: true)
}

extension RemoteFailure {
  fileprivate var isDenial: Bool { reason == .signInNeeded || reason == .notAllowed }
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
