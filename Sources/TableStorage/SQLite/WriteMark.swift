import GRDB
import Glibc
import Synchronization
import TableProtocol

/// How far the clock of each list had come, in a small file beside the database.
///
/// SQLite can't say that its log was removed after a crash, or that an older copy was put in the place of the file: it
/// goes on with what is left, and what was acknowledged is gone without a word. The mark is written after each commit
/// and nothing waits for it, so it is never ahead of the database; where it is, something was lost.
final class WriteMark: Sendable {
  private static let magic = Array("EbbMark1".utf8)
  /// The magic, and the identity of the database as text. After it each list has eight bytes, by its number.
  private static let headSize = 44
  private static let mostLists: Int64 = 1_000_000

  private let path: String
  /// Nil until a server runs, and if the file can't be written.
  private let file = Mutex<CInt?>(nil)

  /// Of the database at `database`, which may be behind a link.
  init(database: String) {
    guard let real = realpath(database, nil) else {
      path = database + "-mark"
      return
    }
    defer { free(real) }
    path = String(cString: real) + "-mark"
  }

  deinit { file.withLock { $0.map { _ = close($0) } } }

  /// When a server last wrote to the database, by the clock of this machine; nil if there is no mark.
  var lastWrite: Timestamp? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= off_t(Self.headSize) else {
      return nil
    }
    return Timestamp(milliseconds: Int64(status.st_mtim.tv_sec) * 1_000)
  }

  /// The last moments of the lists, by their numbers, as a server of this database marked them; none if none did.
  /// Throws `ServerDatabaseError` if there is a mark that can't be read: without it lost writes would go unnoticed. A
  /// link is not followed, since it may lead to somebody else's file.
  func moments(_ identity: DatabaseIdentity) throws -> [Int64: Timestamp] {
    func unreadable(_ code: CInt) -> ServerDatabaseError {
      .unreadableMark(path: path, reason: String(cString: strerror(code)).lowercased())
    }
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return [:] }
      throw unreadable(errno)
    }
    defer { close(file) }
    let size = min(Int(lseek(file, 0, SEEK_END)), Self.headSize + 8 * Int(Self.mostLists))
    var bytes = [UInt8](repeating: 0, count: max(0, size))
    let count = pread(file, &bytes, bytes.count, 0)
    if count < 0 { throw unreadable(errno) }
    guard count >= Self.headSize, Array(bytes[..<Self.headSize]) == Self.head(identity) else { return [:] }
    var moments: [Int64: Timestamp] = [:]
    for (number, start) in stride(from: Self.headSize, through: count - 8, by: 8).enumerated() {
      let milliseconds = bytes[start..<start + 8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
      if milliseconds > 0 { moments[Int64(number) + 1] = Timestamp(milliseconds: milliseconds) }
    }
    return moments
  }

  /// Begins to mark what is written to the database. Throws as ``moments(_:)``.
  func start(_ identity: DatabaseIdentity) throws {
    let isOurs = try !moments(identity).isEmpty
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { return }
    let head = Self.head(identity)
    guard isOurs || ftruncate(opened, 0) == 0 && pwrite(opened, head, head.count, 0) == head.count else {
      close(opened)
      return
    }
    file.withLock { $0 = opened }
  }

  func note(_ moment: Timestamp, ofList number: Int64) {
    guard (1...Self.mostLists).contains(number) else { return }
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: moment.milliseconds >> (56 - 8 * $0)) }
    file.withLock { file in
      if let file { _ = pwrite(file, bytes, bytes.count, Self.place(of: number)) }
    }
  }

  /// Forgets the moments: the database goes on from an older state. A server that runs goes on marking.
  func reset() {
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return }
    _ = ftruncate(file, off_t(Self.headSize))
    close(file)
  }

  /// Forgets the moments of these lists, which are removed: else a server would miss, at its next start, what it wrote to
  /// them. They are gone for good when this returns, so that a removal may be committed after it, whenever the power
  /// fails. Throws if the file is there and can't be written.
  func forget(_ lists: Set<Int64>) throws(StorageError) {
    func failure() -> StorageError { .failed("\(path): \(String(cString: strerror(errno)))") }
    let file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return }
      throw failure()
    }
    defer { close(file) }
    let (nothing, end) = ([UInt8](repeating: 0, count: 8), lseek(file, 0, SEEK_END))
    guard end >= 0 else { throw failure() }
    for number in lists where Self.place(of: number) < end {
      guard pwrite(file, nothing, nothing.count, Self.place(of: number)) == nothing.count else { throw failure() }
    }
    guard fsync(file) == 0 else { throw failure() }
  }

  /// Where the moment of a list stands in the file.
  private static func place(of number: Int64) -> off_t { off_t(headSize) + 8 * off_t(number - 1) }

  private static func head(_ identity: DatabaseIdentity) -> [UInt8] {
    let text = Array(identity.text.utf8.prefix(headSize - magic.count))
    return magic + text + [UInt8](repeating: 0, count: headSize - magic.count - text.count)
  }
}

/// A server's writes to a list that are not there any more.
struct LostWrites: Sendable {
  /// The last moment that the list had.
  let reached: Timestamp
  /// The last moment that it has.
  let has: Timestamp

  /// Of the list whose loss is the latest. Nil if the lists are as far as they were marked.
  init?(_ marked: [Int64: Timestamp], in database: Database) throws {
    var kept: [Int64: Timestamp] = [:]
    try database.forEach("SELECT number, lastUpdatedAt FROM StoredList") { row in
      if let number = row.integer(0) { kept[number] = row.moment(1) }
      return true
    }
    let lost = marked.filter { $0.value > kept[$0.key] ?? .epoch }
    guard let (number, reached) = lost.max(by: { $0.value < $1.value }) else { return nil }
    (self.reached, has) = (reached, kept[number] ?? .epoch)
  }
}

extension SQLiteStorage {
  var checksSnapshot: Bool { false }

  func beginServing() async throws {
    try await startMarking()
    try await checkIndexes()
  }

  /// Begins to mark how far the lists have come. Throws if an earlier server had come further: then something of what
  /// it wrote is not in the database any more.
  private func startMarking() async throws {
    // Before the database is read: another server may write to it.
    let marked = try mark.moments(identity)
    if let lost = try await reading({ try LostWrites(marked, in: $0) }) {
      throw ServerDatabaseError.lacksWrites(path: path, reached: lost.reached, has: lost.has)
    }
    try mark.start(identity)
  }

  /// A quick look at the pages of the indexes, which no other look at the start reads. The rows are counted by each.
  private func checkIndexes() async throws {
    do {
      try await reading { database in
        for place in try ListPlace.all(in: database) {
          var counts: Set<Int64> = []
          for (index, column) in try Self.indexes(of: place, in: database) {
            // Of a column: SQLite counts rows by whichever index is the smallest. Of its type: a value may be too large to
            // be read.
            let sql = "SELECT count(typeof(\"\(column)\")) FROM \"\(place.table)\" INDEXED BY \"\(index)\""
            try database.forEach(sql, isKept: false) { row in
              counts.insert(row.integer(0) ?? -1)
              return true
            }
          }
          guard counts.count <= 1 else { throw StorageError.refused("the indexes of \(place.table) differ") }
        }
      }
    } catch StorageError.refused(let reason) {
      throw ServerDatabaseError.damaged(path: path, reason: reason)
    }
  }

  /// The server's own, each with the first of its columns, which is never null. An index that somebody else has made
  /// may leave rows out.
  private static func indexes(of place: ListPlace, in database: Database) throws -> [(name: String, column: String)] {
    var indexes: [(name: String, column: String)] = []
    let sql = """
      SELECT list.name, info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
      WHERE info.seqno = 0 AND NOT list.partial AND info.name IN ('id', 'updatedAt')
      """
    try database.forEach(sql, [place.table]) { row in
      if let name = row.text(0), let column = row.text(1) { indexes.append((name, column)) }
      return true
    }
    return indexes
  }
}
