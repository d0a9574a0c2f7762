import FoundationEssentials
import Synchronization
package import TableProtocol
package import TableStorage

/// A storage that forgets: for tests of what stands above the port, and a second reading of its contract.
package final class MemoryStorage: TableStorage {
  package let identity = DatabaseIdentity(UUID())
  private let contents: Mutex<[ListID: MemoryContent]> = Mutex([.first: MemoryContent()])
  /// Of a list that is not there yet.
  private let epoch = Mutex(DatabaseEpoch(number: 1))
  /// One writer after another.
  private let writing = Mutex(())

  package init() {}

  package func lists() -> [ListID] { contents.withLock { Array($0.keys) } }
  package func lists(of owner: UserName?) -> [ListID] { lists().filter { $0.owner == owner } }

  package func read<Value: Sendable>(
    _ list: ListID, mayBeLong: Bool, _ body: @escaping @Sendable (any StoredList) throws -> Value
  ) async throws -> Value {
    try body(MemoryList(list, content(of: list)))
  }

  package func write<Value: Sendable>(
    _ lists: [ListID], _ body: @escaping @Sendable ([any EditableList]) throws -> Value
  ) async throws -> Value {
    try writing.withLock { _ in
      let copies = lists.map { MemoryList($0, content(of: $0)) }
      for copy in copies { copy.written = { [known = self.lists()] in known + copies.filter { !$0.isNew }.map(\.id) } }
      defer { for copy in copies { copy.written = { [] } } }
      let value = try body(copies)
      let written = copies.filter { !$0.isNew }
      contents.withLock { contents in for copy in written { contents[copy.id] = copy.content } }
      for copy in written where copy.isSaved {
        notices.post(ListNotice(list: copy.id, lastMoment: copy.content.lastMoment))
      }
      return value
    }
  }

  /// The list of those who need not sign in, as it is now.
  package var first: MemoryContent {
    get { content(of: .first) }
    set { contents.withLock { $0[.first] = newValue } }
  }

  private func content(of list: ListID) -> MemoryContent {
    contents.withLock { $0[list] }
      ?? MemoryContent(columns: list.table.firstColumns, epoch: epoch.withLock(\.self), isNew: true)
  }

  package func raiseEpoch(now: Timestamp, nonce: String) throws -> DatabaseEpoch {
    writing.withLock { _ in
      let number = epoch.withLock { epoch in
        epoch = DatabaseEpoch(number: epoch.number + 1, from: nil, nonce: nonce)
        return epoch.number
      }
      for id in lists() {
        let list = MemoryList(id, content(of: id))
        list.content.lastMoment = max(list.content.lastMoment, now)
        list.content.epoch = DatabaseEpoch(number: number, from: list.newest, nonce: nonce)
        contents.withLock { $0[id] = list.content }
      }
      return content(of: .first).epoch
    }
  }

  package var moves: AsyncStream<ListNotice> { notices.stream }
  private let notices = ListNotices()

  package func close() throws { notices.finish() }
}

extension ListID {
  /// The list of those who need not sign in.
  static let first = ListID(.todoItem)
}
