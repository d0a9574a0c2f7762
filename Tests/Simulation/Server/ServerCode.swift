package import OfflineSync
package import TableProtocol

/// The code of our own server, to be run on the rows of a simulated one in place of ``ServerRules``, which are only a
/// model of it.
package protocol ServerCode: Sendable {
  /// Sends the change to a server that has this list.
  func send(_ change: RemoteChange, to list: ServedList, from client: ServedClient) -> ServedOutcome

  func read(_ id: RecordID, in list: ServedList, for client: ServedClient) throws(RemoteFailure) -> Record?

  func page(
    _ query: TableQuery, at link: PageLink?, of list: ServedList, for client: ServedClient
  ) throws(RemoteFailure) -> RemotePage
}

/// All that a server has of a list, and the time of its clock.
package struct ServedList: Sendable {
  /// Tombstones too.
  package let rows: [Record]
  /// Of the last write.
  package let lastMoment: Timestamp
  package let epoch: DatabaseEpoch
  /// Up to which moment tombstones are gone; nil if none is.
  package let tombstonesAfter: Timestamp?
  package let now: Timestamp
}

/// Who asks.
package struct ServedClient: Sendable {
  package let version: ProtocolVersion
  /// What its requests are meant for.
  package let epoch: DatabaseEpoch?
  /// How far it has read.
  package let reached: Timestamp?
  /// Something on the way passes its batches on and answers some of them itself.
  package let hidesBatches: Bool
}

package struct ServedOutcome: Sendable {
  package let answer: Result<RemoteAnswer, RemoteFailure>
  /// The rows that were written, in their order.
  package let writes: [Record]

  package init(answer: Result<RemoteAnswer, RemoteFailure>, writes: [Record]) {
    self.answer = answer
    self.writes = writes
  }
}

extension SimulatedServer {
  func run(
    _ change: RemoteChange, _ code: any ServerCode, _ meant: Meant, _ clock: Int64, _ party: Party
  ) -> RemoteAnswer {
    let outcome = code.send(change, to: list(at: clock), from: client(meant))
    var versions: [RecordVersion: RecordVersion] = [:]
    for write in outcome.writes {
      let row = store(write, by: party)
      if let version = write.system.version { versions[version] = row.version.version }
    }
    do {
      return try outcome.answer.get().renamed(versions)
    } catch {
      surprise = "\(change) is answered by \(error)"
      return .refused(status: 500, message: "surprise")
    }
  }

  func row(_ id: RecordID, meant: Meant, at clock: Int64) throws(RemoteFailure) -> Record? {
    guard let code else { return rows[id].map(record) }
    do {
      return try code.read(id, in: list(at: clock), for: client(meant))
    } catch {
      surprise = "a question about \(id) is answered by \(error)"
      throw error
    }
  }

  func page(
    _ query: TableQuery, at link: PageLink?, meant: Meant, at clock: Int64
  ) throws(RemoteFailure) -> RemotePage {
    guard let code else { return page(query) }
    do {
      var page = try code.page(query, at: link, of: list(at: clock), for: client(meant))
      page.isOrdered = isOrdered
      return page
    } catch {
      surprise = "\(query) is answered by \(error)"
      throw error
    }
  }

  private func list(at clock: Int64) -> ServedList {
    ServedList(
      rows: rows.values.map(\.record), lastMoment: lastMoment, epoch: epoch, tombstonesAfter: tombstonesAfter,
      now: Timestamp(milliseconds: clock / 1_000))
  }

  private func client(_ meant: Meant) -> ServedClient {
    ServedClient(
      version: manners.version, epoch: meant.epoch, reached: meant.reached, hidesBatches: manners.hidesBatches)
  }
}

extension RemoteAnswer {
  /// With the versions that the laws can compare.
  fileprivate func renamed(_ versions: [RecordVersion: RecordVersion]) -> RemoteAnswer {
    func renamed(_ record: Record?) -> Record? {
      var record = record
      if let version = record?.system.version, let name = versions[version] { record?.system.version = name }
      return record
    }
    return switch self {
    case .accepted(let record): .accepted(renamed(record))
    case .conflict(let status, let record): .conflict(status: status, renamed(record))
    case .gone, .refused: self
    }
  }
}
