import FoundationEssentials
import StorageSupport
import Synchronization
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("How much one sender may ask")
struct AllowanceTests {
  private func at(_ seconds: Double) -> Timestamp { Timestamp(milliseconds: 1_000_000 + Int64(seconds * 1_000)) }

  /// The headers by which a server knows anna and ben.
  private func twoUsers(of file: ServerDatabaseFile) throws -> (anna: [String: String], ben: [String: String]) {
    let tokens = try ServerTokens(database: file.path, makesDatabase: true, clock: TestServer.systemClock)
    defer { tokens.close() }
    func header(_ user: String) throws -> [String: String] {
      let token = try tokens.add(try #require(UserName(user)), label: "", scope: .sync, days: nil).token
      return ["X-ZUMO-AUTH": token.text]
    }
    return (try header("anna"), try header("ben"))
  }

  @Test("so many requests at once, and so many more a second, for each user and each address by itself")
  func allowance() throws {
    let allowance = RequestAllowance(atOnce: 10, aSecond: 2)
    let anna = RequestAllowance.Sender.user(try #require(UserName("anna")))
    let home = RequestAllowance.Sender.address(try #require(NetworkAddress("203.0.113.5")))
    #expect(allowance.take(7, of: [anna], at: at(0)) == nil)
    #expect(allowance.take(7, of: [anna], at: at(0)) == 2, "4 are missing")
    #expect(allowance.take(7, of: [anna, home], at: at(0)) == 2, "nothing is taken of the address")
    #expect(allowance.take(10, of: [home], at: at(0)) == nil)
    #expect(allowance.take(1, of: [home], at: at(0.2)) == 1)
    #expect(allowance.take(7, of: [anna], at: at(2)) == nil)
    #expect(allowance.take(1, of: [anna], at: at(1)) == 1, "a clock that steps back gives nothing")
    #expect(allowance.take(1_000, of: [anna], at: at(100)) == nil, "the whole allowance is enough for anything")
  }

  @Test("with many senders none is locked out, and those who used theirs up stay so")
  func manySenders() throws {
    let allowance = RequestAllowance(atOnce: 10, aSecond: 1)
    func address(_ number: Int) throws -> RequestAllowance.Sender {
      .address(try #require(NetworkAddress("10.\(number >> 16).\(number >> 8 & 255).\(number & 255)")))
    }
    for number in 0..<9_999 { #expect(allowance.take(1, of: [try address(number)], at: at(0)) == nil) }
    #expect(allowance.take(10, of: [try address(20_000)], at: at(1)) == nil)
    for number in 30_000..<30_100 { #expect(allowance.take(1, of: [try address(number)], at: at(1)) == nil) }
    #expect(allowance.take(10, of: [try address(20_000)], at: at(1)) == 10)
  }

  @Test("a user who asks too much is told when to come back, a batch counts by its entries, and others are not held up")
  func users() async throws {
    try await ServerDatabaseFile.use { file in
      let (anna, ben) = try twoUsers(of: file)
      var limits = ServerLimits.patient
      (limits.requestsAtOnce, limits.requestsASecond) = (20, 1)
      let clock = Mutex(TestServer.systemClock())
      try await TestServer.run(databasePath: file.path, clock: { clock.withLock(\.self) }, limits: limits) {
        server async throws in
        let entries = (0..<15).map { number in
          #"{"id":"\#(number)","method":"POST","url":"tables/TodoItem","body":{"id":"r\#(number)"}}"#
        }
        let batch = #"{"requests":[\#(entries.joined(separator: ","))]}"#
        #expect(try await server.send(.post, "/$batch", nil, anna, body: batch).status == 200)
        let second = try await server.send(.post, "/$batch", nil, anna, body: batch)
        #expect(second.status == 429 && second.header("Retry-After") == "10")
        #expect(second.text.contains("10 seconds"))
        #expect(try await server.send(.post, "/$batch", nil, ben, body: batch).status == 200)
        for _ in 0..<4 { #expect(try await server.send(.get, "/tables/TodoItem/r0", nil, anna).status == 200) }
        #expect(try await server.send(.get, "/tables/TodoItem/r0", nil, anna).status == 429)
        clock.withLock { $0 = $0.advanced(byMilliseconds: 1_000) }
        #expect(try await server.send(.get, "/tables/TodoItem/r0", nil, anna).status == 200)
      }
    }
  }

  @Test("a batch is counted before the URLs and bodies of its entries are read")
  func entriesFirst() async throws {
    try await ServerDatabaseFile.use { file in
      let (anna, _) = try twoUsers(of: file)
      var limits = ServerLimits.patient
      (limits.requestsAtOnce, limits.requestsASecond) = (100, 1)
      try await TestServer.run(
        databasePath: file.path, clock: TestServer.clock(standingAt: 1_000_000), limits: limits,
        tables: TablePolicy(.open)
      ) { server async throws in
        let entries = (0..<60).map { #"{"id":"\#($0)","method":"get","url":"/tables/t\#($0)"}"# }
        let batch = #"{"requests":[\#(entries.joined(separator: ","))]}"#
        #expect(try await server.send(.post, "/$batch", nil, anna, body: batch).status == 413, "too many tables")
        #expect(try await server.send(.post, "/$batch", nil, anna, body: batch).status == 429)
      }
    }
  }

  @Test("a device that sends 10,000 items for the first time, and nine others that bring them, are let in")
  func firstSync() throws {
    let limits = ServerLimits()
    let allowance = RequestAllowance(atOnce: limits.requestsAtOnce, aSecond: limits.requestsASecond)
    let senders: [RequestAllowance.Sender] = [
      .user(try #require(UserName("anna"))), .address(try #require(NetworkAddress("203.0.113.5"))),
    ]
    // One by one, as clients without batches do, and with half as many again to try twice.
    for _ in 0..<15_000 { #expect(allowance.take(of: senders, at: at(0)) == nil) }
    for _ in 0..<9 * 200 { #expect(allowance.take(of: senders, at: at(0)) == nil) }
  }

  @Test("the columns that one user adds are none of another's")
  func columns() async throws {
    try await ServerDatabaseFile.use { file in
      let (anna, ben) = try twoUsers(of: file)
      var limits = ServerLimits.patient
      limits.columnsInAnHour = 2
      try await TestServer.run(databasePath: file.path, limits: limits) { server async throws in
        let body = #"{"id":"a","one":1,"two":2}"#
        #expect(try await server.send(.post, "/tables/TodoItem", nil, anna, body: body).status == 201)
        let more = #"{"id":"b","three":3}"#
        let refusal = try await server.send(.post, "/tables/TodoItem", nil, anna, body: more)
        #expect(refusal.status == 400 && refusal.text.contains("One user adds at most 2 new properties an hour"))
        #expect(try await server.send(.post, "/tables/TodoItem", nil, ben, body: body).status == 201)
      }
    }
  }
}

@Suite("Addresses of a network")
struct NetworkAddressTests {
  @Test("one of IPv4 is the same inside one of IPv6, and limits count a network's addresses of IPv6 as one")
  func addresses() throws {
    func address(_ text: String) throws -> NetworkAddress { try #require(NetworkAddress(text), "\(text)") }
    #expect(try address("203.0.113.5") == address("::ffff:203.0.113.5"))
    #expect(try address("[2001:db8::1]") == address("2001:DB8:0::1"))
    #expect(try address("2001:db8::1").group == address("2001:db8::2:3:4:5").group)
    #expect(try address("2001:db8::1").group != address("2001:db8:0:1::1").group)
    #expect(try address("203.0.113.5").group != address("203.0.113.6").group)
    for text in ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"] { #expect(try address(text).isLoopback) }
    for text in ["126.0.0.1", "::2", "10.0.0.1", "::127.0.0.1"] { #expect(try !address(text).isLoopback) }
    for text in ["", "1.2.3", "1.2.3.4.5", "1.2.3.256", "localhost", ":::", "1.2.3.4/8", "[::1", "fe80::1%eth0"] {
      #expect(NetworkAddress(text) == nil, "\(text)")
    }
  }

  @Test("a range holds the addresses that begin as it does")
  func ranges() throws {
    func holds(_ range: String, _ address: String) throws -> Bool {
      try #require(NetworkAddress.Range(range), "\(range)").contains(try #require(NetworkAddress(address)))
    }
    #expect(try holds("10.0.0.0/8", "10.255.1.2") && !holds("10.0.0.0/8", "11.0.0.1"))
    #expect(try holds("10.1.2.3/8", "10.9.9.9"), "the rest of the address says nothing")
    #expect(try holds("192.0.2.7", "192.0.2.7") && !holds("192.0.2.7", "192.0.2.8"))
    #expect(try holds("192.0.2.0/31", "192.0.2.1") && !holds("192.0.2.0/31", "192.0.2.2"))
    #expect(try holds("0.0.0.0/0", "203.0.113.5") && !holds("0.0.0.0/0", "2001:db8::1"))
    #expect(try holds("::/0", "2001:db8::1") && !holds("::/0", "203.0.113.5"))
    #expect(try holds("2001:db8::/65", "2001:db8::7fff:0:0:0") && !holds("2001:db8::/65", "2001:db8::8000:0:0:0"))
    for text in ["", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "::/129", "10.0.0.0/8/8", "all"] {
      #expect(NetworkAddress.Range(text) == nil, "\(text)")
    }
  }
}
