import SQLiteStore
import Support
import TableProtocol
import Testing

@testable import OfflineSync

/// A device that has read up to a moment, and stores what it wrote after that, has read up to there (sync-rules 8.6).
@Suite("A push moves the token over its own rows")
struct PushedMovesTests {
  private static func moment(_ number: Int) -> Timestamp { Timestamp(milliseconds: Int64(number)) }

  private static func move(_ from: Int, _ to: Int, _ rows: Int) -> ListMove {
    ListMove(from: moment(from), to: moment(to), rows: rows)
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// Moves with the moments of the rows that were stored of them.
    let stored: [(ListMove, [Int?])]
    /// How far a device is that was at 10.
    let reached: Int
  }

  @Test(
    "as far as the writes follow one another without a gap and are stored here as a whole",
    arguments: [
      Case(testDescription: "nothing", stored: [], reached: 10),
      Case(testDescription: "one row", stored: [(move(10, 11, 1), [11])], reached: 11),
      Case(testDescription: "a batch", stored: [(move(10, 13, 3), [11, 12, 13])], reached: 13),
      Case(testDescription: "rows in any order", stored: [(move(10, 13, 3), [13, 11, 12])], reached: 13),
      Case(
        testDescription: "answers in any order", stored: [(move(12, 13, 1), [13]), (move(10, 12, 2), [11, 12])],
        reached: 13),
      Case(testDescription: "a row is missing", stored: [(move(10, 13, 3), [11, 13])], reached: 10),
      Case(testDescription: "the last row is missing", stored: [(move(10, 13, 2), [11, 12])], reached: 10),
      Case(testDescription: "a row too many", stored: [(move(10, 12, 1), [11, 12])], reached: 10),
      Case(testDescription: "a row without a time", stored: [(move(10, 12, 2), [12, nil])], reached: 10),
      Case(testDescription: "a row from before", stored: [(move(10, 12, 2), [10, 12])], reached: 10),
      Case(testDescription: "a row from after", stored: [(move(10, 12, 2), [12, 13])], reached: 10),
      Case(testDescription: "a moment that no row has", stored: [(move(10, 99, 1), [11])], reached: 10),
      Case(testDescription: "somebody wrote before", stored: [(move(11, 12, 1), [12])], reached: 10),
      Case(
        testDescription: "somebody wrote in between", stored: [(move(10, 11, 1), [11]), (move(12, 13, 1), [13])],
        reached: 11),
      Case(
        testDescription: "the first is not whole", stored: [(move(10, 12, 2), [12]), (move(12, 13, 1), [13])],
        reached: 10),
      Case(
        testDescription: "two from one moment", stored: [(move(10, 11, 1), [11]), (move(10, 12, 1), [12])],
        reached: 10),
    ])
  func reaches(_ example: Case) {
    var moves = PushedMoves()
    for (move, rows) in example.stored {
      for row in rows { moves.note(move, row: row.map(Self.moment)) }
    }
    #expect(moves.reached(from: Self.moment(10)) == Self.moment(example.reached))
  }

  private static func server() -> FakeServer {
    FakeServer(manners: FakeServer.Manners { ($0.promisesOrder, $0.saysMoves) = (.always, true) })
  }

  /// The moments from which the lists that a server was asked for begin.
  private static func starts(_ server: FakeServer) -> [Timestamp?] { server.queries.map { $0.filter?.start } }

  @Test("the pull after a first push asks for nothing that was sent")
  func first() async throws {
    let server = Self.server()
    let device = try TestDevice(server)
    let ids = try ["milk", "bread", "tea"].map { try device.add($0) }
    let report = await device.sync()
    #expect(report.failure == nil && report.push.accepted == 3)
    let last = server.rows[ids[2]]?.system.updatedAt
    #expect(Self.starts(server) == [last])
    #expect(try device.token()?.timestamp == last)
  }

  @Test("what somebody else wrote in between is read, and all that came after it")
  func inBetween() async throws {
    let server = Self.server()
    let device = try TestDevice(server)
    let ids = try ["milk", "bread", "tea"].map { try device.add($0) }
    server.onRequest { if $0 == "POST \(ids[1])" { server.put("x", ["text": .text("theirs")]) } }
    #expect(await device.sync().failure == nil)
    #expect(Self.starts(server) == [server.rows[ids[0]]?.system.updatedAt])
    #expect(try device.texts()["x"] == "theirs")
  }

  @Test("what somebody else wrote before the push is read")
  func before() async throws {
    let server = Self.server()
    let device = try TestDevice(server)
    await device.sync()
    server.put("x", ["text": .text("theirs")])
    try device.add("milk")
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().values.sorted() == ["milk", "theirs"])
  }

  @Test("a write whose answer is lost moves nothing, and is read")
  func lost() async throws {
    let server = Self.server()
    let device = try TestDevice(server)
    await device.sync()
    let start = try device.token()?.timestamp
    let first = try device.add("milk")
    try device.add("tea")
    server.fail(.lostAnswer)
    #expect(await device.sync().failure != nil)
    #expect(try device.token()?.timestamp == start)
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().count == 2 && device.operations().isEmpty)
    #expect(server.queries.last?.filter?.start ?? .epoch <= server.rows[first]?.system.updatedAt ?? .epoch)
  }

  @Test("a delete that is answered without its tombstone is read, and the token waits for it")
  func deletion() async throws {
    let server = Self.server()
    let device = try TestDevice(server)
    let id = try device.add("milk")
    await device.sync()
    let token = try device.token()?.timestamp
    try device.table.delete(id)
    #expect(await device.sync().failure == nil)
    #expect(server.queries.last?.filter?.start == token)
  }

  @Test("if the answers say it all, no list is asked for, and what others write later comes with the next sync")
  func nothingLeft() async throws {
    let manners = FakeServer.Manners { ($0.promisesOrder, $0.saysMoves) = (.always, true) }
    let server = FakeServer(database: "7f3c", tellsDigest: true, manners: manners)
    let device = try TestDevice(server)
    await device.sync()
    let asked = server.queries.count
    let ids = try ["milk", "bread"].map { try device.add($0) }
    #expect(await device.sync().failure == nil)
    #expect(server.queries.count == asked)
    #expect(try device.token()?.timestamp == server.rows[ids[1]]?.system.updatedAt)
    server.put("x", ["text": .text("theirs")])
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().values.sorted() == ["bread", "milk", "theirs"])
  }

  @Test("whoever wrote before or between, a list is asked for", arguments: [false, true])
  func somethingLeft(isBefore: Bool) async throws {
    let manners = FakeServer.Manners { ($0.promisesOrder, $0.saysMoves) = (.always, true) }
    let server = FakeServer(database: "7f3c", tellsDigest: true, manners: manners)
    let device = try TestDevice(server)
    await device.sync()
    let ids = try ["milk", "bread"].map { try device.add($0) }
    if isBefore { server.put("x", ["text": .text("theirs")]) }
    server.onRequest { if !isBefore, $0 == "POST \(ids[1])" { server.put("x", ["text": .text("theirs")]) } }
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().values.sorted() == ["bread", "milk", "theirs"])
  }

  @Test("a row that is missing here is asked for, although the token is at the last write")
  func lostHere() async throws {
    let manners = FakeServer.Manners { ($0.promisesOrder, $0.saysMoves) = (.always, true) }
    let server = FakeServer(database: "7f3c", tellsDigest: true, manners: manners)
    let device = try TestDevice(server)
    let lost = try device.add("milk")
    await device.sync()
    try device.store.write { try $0.remove([lost], from: "TodoItem") }
    let asked = server.queries.count
    try device.add("bread")
    await device.sync()
    #expect(server.queries.count > asked)
  }

  @Test("if the header was not true, the digests tell, and the next sync reads what was passed by")
  func lie() async throws {
    let manners = FakeServer.Manners { ($0.promisesOrder, $0.saysMoves, $0.liesAboutMoves) = (.always, true, true) }
    let server = FakeServer(database: "7f3c", tellsDigest: true, manners: manners)
    let device = try TestDevice(server)
    await device.sync()
    server.put("x", ["text": .text("theirs")])
    try device.add("milk")
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().count == 1, "it was passed by")
    #expect(await device.sync().failure == nil)
    #expect(try device.texts().values.sorted() == ["milk", "theirs"])
  }

  @Test("a server that was seen to promise no order is asked as if it had said nothing")
  func unordered() async throws {
    let server = FakeServer(manners: FakeServer.Manners { ($0.promisesOrder, $0.saysMoves) = (.never, true) })
    let device = try TestDevice(server)
    await device.sync()
    let id = try device.add("milk")
    #expect(await device.sync().failure == nil)
    let start = try #require(server.queries.last?.filter?.start)
    #expect(start <= server.rows[id]?.system.updatedAt?.advanced(byMilliseconds: -1) ?? .epoch)
  }
}

extension Filter {
  /// The moment from which a list that goes by time begins.
  fileprivate var start: Timestamp? {
    switch self {
    case .binary(.greaterOrEqual, .member(SystemColumn.updatedAt), .literal(.timestamp(let moment))): moment
    case .binary(.and, let left, let right), .binary(.or, let left, let right): left.start ?? right.start
    default: nil
    }
  }
}
