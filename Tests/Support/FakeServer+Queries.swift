import InMemoryStore
import OfflineSync
import TableProtocol
import TableSQL

extension FakeServer.State {
  /// The rows of a query from its `start`th on, at most `cap` of them.
  func page(_ query: TableQuery, from start: Int, cap: Int) -> Result<RemotePage, RemoteFailure> {
    var all = query
    (all.skip, all.limit) = (nil, nil)
    let visible = rows.values.filter { query.includesDeleted || !$0.system.deleted }
    do {
      let matching = try QueryEvaluation(all, kind: Self.kind).page(of: visible)
      let rest = matching.dropFirst(start)
      let page = rest.prefix(min(query.limit ?? .max, cap))
      let isCut = page.count < min(query.limit ?? .max, rest.count)
      return .success(
        RemotePage(
          records: page.map { $0.narrowed(to: query.select) }, hasMore: isCut,
          next: isCut ? PageLink(query: String(start + page.count)) : nil,
          totalCount: query.includesTotalCount ? matching.count : nil))
    } catch {
      return .failure(RemoteFailure(.serverError(status: 400, message: "\(error)"), mayHaveActed: false))
    }
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
