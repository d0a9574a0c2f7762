import NIOHTTP1
import OfflineSync
import TableProtocol

/// Updates on a server that replaces the whole row (protocol 3.0.0): columns that another app keeps in it must survive
/// (sync-rules Q17).
///
/// While the pages of the table showed only columns that this device keeps, there is nothing to lose, and no further
/// request is made. Else: where the server takes PATCH, only what changes is sent. That is tried once, with a change
/// that is due. Where it does not, the row is read first, and its other columns go back as they came. The request names
/// the version that was read, so that nothing that comes between is overwritten.
extension ChangeSender {
  func keepOtherColumns() {
    guard server.version == .v3, !server.merges else { return }
    let replacing = changes.indices.filter {
      changes[$0].replacement != nil && !rows.areAllKnown(in: changes[$0].table)
    }
    var refusesPatch = false
    if rows.mergesUpdates == nil, let first = replacing.first(where: { changes[$0].isUpdate && !start([$0]).isEmpty }) {
      refusesPatch = refusesToMerge(first)
      handOn()
    }
    let open = Set(ledger.open)
    let left = replacing.filter(open.contains)
    guard goesOn, !left.isEmpty else { return }
    if rows.mergesUpdates == true {
      for index in left {
        prepared[index] = ChangeRequest(changes[index].named(rows.names), to: merging, address: address)
      }
    } else {
      readFirst(left, refusesPatch: refusesPatch)
    }
  }

  private var merging: ChangeRequest.Server { ChangeRequest.Server(version: .v3, merges: true) }

  /// Sends the change as PATCH. True if the server says that it knows no such thing. The change is settled then only if
  /// the answer was about it.
  private func refusesToMerge(_ index: Int) -> Bool {
    let request = ChangeRequest(changes[index].named(rows.names), to: merging, address: address)
    var refuses = false
    transport.exchange([index], atOnce: 1) { _ in
      exchange(request)
    } receive: { index, outcome in
      if case .success(let answer) = outcome, origin.failure(answer, to: request.method) == nil {
        refuses = [405, 415, 501].contains(answer.status)
        // Any other answer that may mean both is asked again in the other way.
        if refuses || [400, 404, 500].contains(answer.status) { return true }
      }
      settle(outcome, of: index)
      if ledger.news.last?.outcome.provesServer == true { rows.note(mergesUpdates: true) }
      return true
    }
    return refuses
  }

  /// Reads the rows of these changes, and puts their other columns into the requests. A row that is not what the change
  /// started from is a conflict, and nothing is sent.
  private func readFirst(_ indices: [Int], refusesPatch: Bool) {
    var round = SendingRound(width: width.current)
    var unanswered: [(index: Int, failure: RemoteFailure)] = []
    transport.exchange(indices, atOnce: round.width) {
      reading(changes[$0])
    } receive: { index, outcome in
      if let failure = round.note(outcome) {
        unanswered.append((index, failure))
        return false
      }
      do throws(RemoteFailure) {
        try prepare(index, try outcome.get())
        if refusesPatch { rows.note(mergesUpdates: false) }
      } catch {
        ledger.fail([index], error.unsent)
      }
      handOn()
      return goesOn && ledger.ended == nil
    }
    guard narrow(after: round) else {
      for (index, failure) in unanswered { ledger.fail([index], failure.unsent) }
      return handOn()
    }
    let open = Set(ledger.open)
    let left = indices.filter { open.contains($0) && prepared[$0] == nil }
    if goesOn, !left.isEmpty { readFirst(left, refusesPatch: refusesPatch) }
  }

  private func reading(_ change: RemoteChange) -> HTTPExchange {
    let text = QueryWriter(.v3).queryString(for: TableQuery(id: change.id, table: change.table))
    return HTTPExchange(
      method: .GET, path: address.path(table: change.table, query: text), headers: headers.fields(hasBody: false))
  }

  private func prepare(_ index: Int, _ answer: ServerAnswer) throws(RemoteFailure) {
    let change = changes[index]
    guard let (whole, base) = change.replacement else { return }
    // A change that is settled without being sent has to be marked too.
    func settle(_ answer: RemoteAnswer) {
      for index in start([index]) { ledger.settle(index, .success(answer), isAlone: true) }
    }
    if let failure = origin.failure(answer, to: .GET) { throw failure }
    var reader = rows.reader(of: change.table)
    guard let stored = try RowToReplace(change.id, in: answer, rows: &reader) else {
      return settle(.gone(status: 404))
    }
    rows.learn(reader.seen, of: change.table, isList: false)
    let version = stored.record.system.version
    if let base, let version, base != version {
      return settle(.conflict(status: 412, stored.record))
    }
    let server = ChangeRequest.Server(headers, mergesUpdates: false)
    var request = ChangeRequest(
      change.named(rows.names), to: server, address: address,
      others: stored.others(than: rows.names.others(whole.values)))
    request.precondition = base ?? version
    prepared[index] = request
  }
}

extension RemoteChange {
  fileprivate var isUpdate: Bool {
    if case .update = self { true } else { false }
  }
}

/// A member of a row as the server wrote it: a nested value too.
struct RowMember: Sendable, Hashable {
  let name: String
  let json: [UInt8]
}

/// The server's row before it is replaced, from the answer to a list of this one row.
struct RowToReplace {
  let record: Record
  /// All of its members, in their order.
  private let members: [RowMember]

  /// Nil if the server has no such row. Throws `RemoteFailure` if the answer does not say.
  init?(_ id: RecordID, in answer: ServerAnswer, rows: inout AnswerRowReader) throws(RemoteFailure) {
    guard answer.status == 200 else { throw RemoteFailure(answer: answer) }
    var bodies: [[UInt8]] = []
    let list = try? ListBody(json: answer.body) { reader throws(JSONError) in
      bodies.append(Array(try reader.raw()))
      return nil
    }
    guard list != nil else { throw RemoteFailure(.badAnswer("it is not a list of items"), mayHaveActed: false) }
    for body in bodies {
      guard let record = rows.item(in: body), record.id == id else { continue }
      self.record = record
      members = (try? Self.members(of: body)) ?? []
      return
    }
    guard rows.unreadable.isEmpty else { throw .unreadableItem }
    return nil
  }

  private static func members(of body: [UInt8]) throws(JSONError) -> [RowMember] {
    var reader = try JSONReader(body)
    var members: [RowMember] = []
    try reader.beginObject()
    while let name = try reader.nextName() { members.append(RowMember(name: name, json: Array(try reader.raw()))) }
    return members
  }

  /// The members that a request with these columns would leave out. Those of the server's own keeping stay with it,
  /// as do the annotations of OData.
  func others(than columns: [String: FieldValue]) -> [RowMember] {
    members.filter { columns[$0.name] == nil && !SystemColumn.contains($0.name) && !$0.name.contains("@") }
  }
}

extension RemoteFailure {
  /// The server has the item, so that it is not gone; but not in a form that could be stored or compared.
  static let unreadableItem = RemoteFailure(.badAnswer("the item there can't be read"), mayHaveActed: false)
}
