import FoundationEssentials
import StorageSupport
import Synchronization
import TableProtocol
import Testing

@testable import TableServer
@testable import TableStorage

@Suite("A server makes backups while it runs, and keeps the newest")
struct ScheduledBackupsTests {
  private static let hour: Int64 = 3_600_000

  private struct Place {
    let file: ServerDatabaseFile
    let identity: DatabaseIdentity
    var folder: URL { file.folder.appending(path: "backups") }

    func backups(every: Int64 = hour, keep: Int = 3) -> ScheduledBackups {
      ScheduledBackups(BackupPlan(every: every, keep: keep, folder: folder.path), of: file.path, identity)
    }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } }

    func name(_ moment: String) -> String { "server-\(identity.text.prefix(8))-\(moment).sqlite" }
  }

  private func use(_ body: (Place) async throws -> Void) async throws {
    try await ServerDatabaseFile.use { file in
      try await TestServer.run(databasePath: file.path) { server async throws in
        for id: RecordID in ["a", "b"] { try await server.insert(id, #""text":"secret words""#) }
      }
      let storage = try SQLiteStorage(path: file.path, makeUUID: { UUID() })
      let identity = storage.identity
      try storage.close()
      try await body(Place(file: file, identity: identity))
    }
  }

  private func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

  private func isMade(_ turn: ScheduledBackups.Turn) -> Bool {
    switch turn {
    case .notDue: false
    case .made: true
    }
  }

  private func isMade(_ backups: ScheduledBackups, _ text: String) throws -> Bool {
    try isMade(backups, try moment(text))
  }

  private func isMade(_ backups: ScheduledBackups, _ now: Timestamp) throws -> Bool {
    isMade(try backups.turn(at: now))
  }

  @Test("the age of the newest counts, also for a server that was just started, and the oldest go")
  func rotation() async throws {
    try await use { place async throws in
      let start = try moment("2026-11-22T20:30:00.000Z")
      for half in 0..<10 {
        let turn = try place.backups().turn(at: start.advanced(byMilliseconds: Int64(half) * Self.hour / 2))
        #expect(isMade(turn) == half.isMultiple(of: 2), "\(half)")
      }
      let names = try place.names
      #expect(
        names == ["22", "23"].map { place.name("2026-11-22T\($0)-30-00Z") } + [place.name("2026-11-23T00-30-00Z")])
      #expect(try ServerDatabase(path: place.folder.appending(path: names[0]).path).check().items == 2)
    }
  }

  @Test("nothing but its own backups is removed, however alike it is named")
  func foreignFiles() async throws {
    try await use { place async throws in
      let others = [
        "server-00000000-2026-11-20T00-00-00Z.sqlite", place.name("2026-11-20T00-00-00Z-mine"), "notes.txt",
        place.name("yesterday"), "\(place.name("2026-11-20T00-00-00Z")).kept",
      ]
      try FileManager.default.createDirectory(at: place.folder, withIntermediateDirectories: true)
      for name in others { try Data("mine".utf8).write(to: place.folder.appending(path: name)) }
      // A folder that has the name of a backup is none.
      let folder = place.name("2026-11-19T00-00-00Z")
      try FileManager.default.createDirectory(
        at: place.folder.appending(path: folder), withIntermediateDirectories: true)
      for day in 22...25 {
        let now = try moment("2026-11-\(day)T20:30:00.000Z")
        #expect(try isMade(place.backups(keep: 1), now))
      }
      let left = try place.names.filter { !others.contains($0) && $0 != folder }
      #expect(left == [place.name("2026-11-25T20-30-00Z")])
      #expect(try place.names.count == others.count + 2)
    }
  }

  @Test("a clock that was ahead and is set back costs no backup, and backups go on")
  func clockSteps() async throws {
    try await use { place async throws in
      for text in [
        "2026-11-20T00", "2026-11-21T00", "2031-01-01T00", "2026-11-22T00", "2026-11-23T00", "2026-11-24T00",
      ] {
        #expect(try isMade(place.backups(), "\(text):00:00.000Z"), "\(text)")
      }
      let names = ["2026-11-22T00", "2026-11-23T00", "2026-11-24T00", "2031-01-01T00"]
      #expect(try place.names == names.map { place.name("\($0)-00-00Z") })
      // A machine that starts in 1970 until it asked for the time.
      #expect(try isMade(place.backups(), "1970-01-01T00:01:00.000Z"))
      #expect(try place.names.count == 5)
      #expect(try isMade(place.backups(), "2026-11-25T00:00:00.000Z"))
      #expect(
        try place.names.suffix(4)
          == ["2026-11-23T00", "2026-11-24T00", "2026-11-25T00", "2031-01-01T00"].map { place.name("\($0)-00-00Z") })
    }
  }

  @Test("a backup that fails leaves nothing and removes nothing, and the next one is made")
  func failure() async throws {
    try await use { place async throws in
      let backups = place.backups(keep: 1)
      #expect(try isMade(backups, "2026-11-22T00:00:00.000Z"))
      let now = try moment("2026-11-22T02:00:00.000Z")
      #expect(throws: CancellationError.self) { try backups.turn(at: now, isStopped: { true }) }
      let away = place.file.path + ".away"
      try FileManager.default.moveItem(atPath: place.file.path, toPath: away)
      #expect(throws: ServerDatabaseError.noDatabase(path: place.file.path)) { try backups.turn(at: now) }
      #expect(try place.names == [place.name("2026-11-22T00-00-00Z")])
      try FileManager.default.moveItem(atPath: away, toPath: place.file.path)
      #expect(try isMade(backups, now))
      #expect(try place.names == [place.name("2026-11-22T02-00-00Z")])
    }
  }

  @Test("the log says when one that failed is tried again, and figures when the newest was made, also before the start")
  func report() async throws {
    try await use { place async throws in
      let made = try moment("2026-11-22T00:00:00.000Z")
      let log = LogLines()
      func run(_ clock: Timestamp, until isReached: (ServerFigures) throws -> Bool) async throws -> ServerFigures {
        let figures = ServerFigures(log.logger, now: clock)
        let task = BackupTask(
          place.backups(), clock: { clock }, log: ServerLog(log.logger, clock: { clock }), figures: figures)
        task.start()
        while try !isReached(figures) { try await Task.sleep(for: .milliseconds(10)) }
        await task.stop()
        return figures
      }
      #expect(try isMade(place.backups(), made))
      let newest = "ebb_backup_last_success_timestamp_seconds \(made.milliseconds / 1_000)"
      _ = try await run(made.advanced(byMilliseconds: 1)) { $0.text(connections: 0, streams: 0).contains(newest) }
      try FileManager.default.removeItem(atPath: place.file.path)
      let figures = try await run(made.advanced(byMilliseconds: Self.hour)) { _ in !log.all.isEmpty }
      #expect(log.all.first?.contains("failed, and is tried again in 2 minutes: ") == true, "\(log.all)")
      let text = figures.text(connections: 0, streams: 0)
      #expect(text.contains(newest) && text.contains(#"ebb_backups_total{outcome="failed"} 1"#), "\(text)")
    }
  }

  @Test("a database with damaged rows does not drive out the backups from before")
  func damagedRows() async throws {
    try await use { place async throws in
      #expect(try isMade(place.backups(keep: 1), "2026-11-22T00:00:00.000Z"))
      try await place.file.run("UPDATE TodoItem SET text = 'other' WHERE id = 'a'")
      #expect(try isMade(place.backups(keep: 1), "2026-11-23T00:00:00.000Z"))
      #expect(try place.names.count == 2)
    }
  }

  @Test("what a server left that was killed is removed with the next backup")
  func leftovers() async throws {
    try await use { place async throws in
      try FileManager.default.createDirectory(at: place.folder, withIntermediateDirectories: true)
      let left = ".ebb-unfinished-0A1B2C3D"
      for name in [left, left + "-journal", ".other.sqlite.0A1B2C3D"] {
        try Data().write(to: place.folder.appending(path: name))
      }
      #expect(try isMade(place.backups(), "2026-11-22T23:00:00.000Z"))
      #expect(try place.names.filter { $0.hasPrefix(".") } == [".other.sqlite.0A1B2C3D"])
    }
  }
}
