import OfflineSync
import Synchronization
import TableProtocol

/// Rules of pulling, broken.
extension Breakage {
  /// Pages by counting rows: a row that moves meanwhile hides another (sync-rules P1).
  static let usesSkip = Breakage(
    "pages by $skip",
    remote: { base in
      var remote = ForwardingRemote(base: base)
      let pager = Pager()
      remote.ask = { pager.ask($0) }
      remote.listed = { pager.listed($0, $1) }
      return remote
    })

  /// Asks only for rows later than the last one (P5).
  static let asksForLaterOnly = Breakage(
    "asks with gt where ge is due",
    settings: { $0.overlapMilliseconds = 0 },
    remote: { base in
      var remote = ForwardingRemote(base: base)
      remote.ask = { query in
        var query = query
        if case .binary(.greaterOrEqual, let member, let low) = query.filter {
          query.filter = .binary(.greater, member, low)
        }
        return query
      }
      return remote
    })

  /// Does not look back for rows that were committed late (P6).
  static let looksNotBack = Breakage(
    "has no overlap", edges: [.lateCommits], law: .belief, settings: { $0.overlapMilliseconds = 0 })

  /// Saves how far it came before what it found (Q11).
  static let savesTokenFirst = Breakage("stores the token before the rows", store: { TokenFirstStore(base: $0) })

  /// Takes the rows of a page for all there are, although the server cut it short (P4).
  static let trustsShortPages = Breakage(
    "takes a page the server cut for the last",
    remote: { base in
      var remote = ForwardingRemote(base: base)
      remote.listed = { RemotePage(records: $1.records, hasMore: false) }
      return remote
    })

  /// Does not ask for tombstones.
  static let ignoresTombstones = Breakage(
    "does not hear of deletes",
    remote: { base in
      var remote = ForwardingRemote(base: base)
      remote.listed = { RemotePage(records: $1.records.filter { !$0.system.deleted }, hasMore: $1.hasMore) }
      return remote
    })
}

extension Breakage {
  /// Passes over what a page says of a row with a change that waits (sync-rules row-4.2: nothing is set aside).
  static let ignoresWaiting = Breakage(
    "ignores a page under a waiting change",
    remote: { base in
      guard let line = base as? Line else { return base }
      var remote = ForwardingRemote(base: base)
      remote.listed = { _, page in
        let waiting = Set(line.world.devices[line.device].operations.map(\.itemID))
        var page = page
        page.records.removeAll { waiting.contains($0.id) }
        return page
      }
      return remote
    })
}

/// Turns the questions of a pull that walks by key into one that counts.
private final class Pager: Sendable {
  private let pull = Mutex<(first: TableQuery, received: Int)?>(nil)

  func ask(_ query: TableQuery) -> TableQuery {
    pull.withLock { pull in
      guard let current = pull else {
        pull = (query, 0)
        return query
      }
      var counted = current.first
      counted.skip = current.received
      return counted
    }
  }

  func listed(_ query: TableQuery, _ page: RemotePage) -> RemotePage {
    pull.withLock { pull in
      pull?.received += page.records.count
      if page.records.isEmpty || (page.records.count < query.limit ?? 0 && !page.hasMore) { pull = nil }
    }
    return page
  }
}

private struct TokenFirstStore: LocalStore {
  private struct Again: Error {}
  let base: any LocalStore

  func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value { try base.read(body) }

  func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value {
    var token: (name: StoreSetting, value: String?)?
    do {
      return try base.write { store in
        let writer = TokenWriter(store)
        let value = try body(writer)
        token = writer.token
        if token != nil { throw Again() }
        return value
      }
    } catch is Again {
      try base.write { store in
        if let token { try store.set(token.name, to: token.value) }
      }
      return try base.write(body)
    }
  }
}

private final class TokenWriter: ForwardingWriter {
  var token: (name: StoreSetting, value: String?)?

  override func set(_ name: StoreSetting, to value: String?) throws {
    switch name {
    case .deltaToken: token = (name, value)
    case .fact: try super.set(name, to: value)
    }
  }
}
