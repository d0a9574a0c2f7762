import InMemoryStore
import OfflineSync
import TableProtocol
import TableSQL

extension FakeServer.State {
  /// The rows of a query from its `start`th on, at most `cap` of them.
  func page(
    _ query: TableQuery, from start: Int, cap: Int, _ manners: FakeServer.Manners
  ) -> Result<RemotePage, RemoteFailure> {
    if manners.knowsNoOr, query.filter?.usesOr == true { return .failure(.badRequest("no or")) }
    var all = query
    (all.skip, all.limit) = (nil, nil)
    let visible = rows.values.filter { query.includesDeleted || !$0.system.deleted }
    do {
      let matching = try manners.page(all, of: visible, kind: Self.kind)
      let rest = matching.dropFirst(start)
      let page = rest.prefix(min(query.limit ?? .max, cap))
      let isCut = page.count < min(query.limit ?? .max, rest.count) && !manners.cutsSilently
      return .success(
        RemotePage(
          records: page.map { $0.narrowed(to: query.select) }, hasMore: isCut,
          isOrdered: manners.promisesOrder(on: pages),
          next: isCut ? PageLink(query: String(start + page.count)) : nil,
          totalCount: query.includesTotalCount && !manners.countsNothing ? matching.count : nil,
          serverTime: manners.saysTime ? Timestamp(milliseconds: clock.milliseconds / 1_000 * 1_000) : nil,
          epoch: manners.announcesState ? epoch : nil, newest: manners.announcesState ? newest : nil,
          tombstones: tombstones))
    } catch {
      return .failure(.badRequest("\(error)"))
    }
  }

  /// Of tombstones too.
  var newest: Timestamp? {
    (rows.values.map(\.system.updatedAt) + [tombstones?.after]).compactMap(\.self).max()
  }

  var digest: TableDigest {
    var digest = TableDigest()
    for row in rows.values where !row.system.deleted {
      if let version = row.system.version { digest.add(row.id, version) }
    }
    return digest
  }

  private static func kind(of column: String) -> SQLColumn.Kind? {
    switch column {
    case SystemColumn.createdAt, SystemColumn.updatedAt: .timestampText
    case SystemColumn.deleted, "complete": .bool
    case SystemColumn.id, SystemColumn.version, "text": .text
    default: nil
    }
  }
}

extension RemotePage {
  func telling(_ digest: TableDigest) -> RemotePage {
    var page = self
    page.digest = digest
    return page
  }
}

extension Record {
  /// Only these of the user's columns; all of them when none is named.
  fileprivate func narrowed(to names: [String]) -> Record {
    guard !names.isEmpty else { return self }
    var copy = self
    copy.values = values.filter { names.contains($0.key) }
    return copy
  }
}

extension RemoteFailure {
  fileprivate static func badRequest(_ message: String) -> RemoteFailure {
    RemoteFailure(.serverError(status: 400, message: message), mayHaveActed: false)
  }
}

extension FakeServer.Manners {
  fileprivate func promisesOrder(on page: Int) -> Bool {
    switch promisesOrder {
    case .never: false
    case .always: true
    case .everyOtherPage: page.isMultiple(of: 2)
    }
  }

  /// The rows of a query, with ids as its collation has them.
  fileprivate func page(
    _ query: TableQuery, of rows: [Record], kind: @escaping (String) -> SQLColumn.Kind?
  ) throws -> [Record] {
    guard ignoresCase || confusesCase else { return try QueryEvaluation(query, kind: kind).page(of: rows) }
    var wanted = query
    if confusesCase {
      wanted.order = []
      let matching = try QueryEvaluation(wanted, kind: kind).page(of: rows)
      wanted.filter = nil
      wanted.order = query.order
      return try folded(wanted, of: matching, kind: kind)
    }
    wanted.filter = query.filter?.foldingIDs
    return try folded(wanted, of: rows, kind: kind)
  }

  private func folded(
    _ query: TableQuery, of rows: [Record], kind: @escaping (String) -> SQLColumn.Kind?
  ) throws -> [Record] {
    let originals = Dictionary(uniqueKeysWithValues: rows.map { ($0.id.text.lowercased(), $0) })
    let folded = rows.map { Record(id: RecordID($0.id.text.lowercased()), values: $0.values, system: $0.system) }
    return try QueryEvaluation(query, kind: kind).page(of: folded).compactMap { originals[$0.id.text] }
  }
}

extension Filter {
  /// The same with the ids in it as a collation has them that takes capital letters for small ones.
  fileprivate var foldingIDs: Filter {
    switch self {
    case .binary(let relation, .member(SystemColumn.id), .literal(.text(let id))):
      .binary(relation, .member(SystemColumn.id), .literal(.text(id.lowercased())))
    case .binary(let relation, let left, let right): .binary(relation, left.foldingIDs, right.foldingIDs)
    case .literal, .member, .not, .negated, .isIn, .call: self
    }
  }

  fileprivate var usesOr: Bool {
    guard case .binary(let relation, let left, let right) = self else { return false }
    return relation == .or || left.usesOr || right.usesOr
  }
}
