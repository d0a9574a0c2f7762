import Chance
import Foundation
import Glibc

/// A list in a real terminal that is handled roughly, told from a seed: random keys, pastes, resizes and signals, while
/// another program edits the same store, a second device syncs, and the line to the server is cut.
///
/// The seed decides what is done. How far a killed program had come is not the seed's to decide.
struct RoughStory {
  let seed: UInt64
  let workspace: Workspace
  let laptop: Device
  let phone: Device
  let proxy: WeatherProxy
  var chance: SeededGenerator
  var ledger = Ledger()
  var terminal: RoughTerminal
  var size = (columns: 80, rows: 24)
  private(set) var steps: [String] = []
  private(set) var screens: [Screen] = []
  /// Nil while the server is down.
  private(set) var server: ServerProcess?
  private let home: ServerProcess
  private var words = 0
  private var terminals = 1

  init(seed: UInt64, in workspace: Workspace) async throws {
    self.seed = seed
    self.workspace = workspace
    chance = SeededGenerator(seed: seed)
    home = try await ServerProcess.start(workspace)
    server = home
    proxy = try WeatherProxy(to: home)
    laptop = Device(workspace, name: "laptop", server: proxy.url)
    phone = Device(workspace, name: "phone", server: proxy.url)
    for number in 1...5 { _ = try await laptop.add("begin \(number)") }
    terminal = try await RoughTerminal.open(laptop, number: 1, size: size)
  }

  var serverFile: DatabaseFile { DatabaseFile(path: home.database) }

  mutating func note(_ step: String) { steps.append(step) }

  /// A word no other text has.
  mutating func newWord() -> String {
    words += 1
    return "z\(words)q"
  }

  /// The rows of a store, each with those of our words that are in it.
  func rows(_ file: DatabaseFile) throws -> [StoredRow] {
    try file.rows().map { row in
      let words = row.text.matches(of: /z\d+q/).map { String($0.0) }
      return StoredRow(id: row.id, text: words.joined(separator: " "), complete: row.complete, version: row.version)
    }
  }

  /// Has the ledger compare what was in the laptop's store with what is there afterwards.
  mutating func acting(_ act: (inout RoughStory) async throws -> Void) async throws {
    let before = try rows(laptop.file)
    try await act(&self)
    ledger.acted(at: laptop.name, from: before, to: try rows(laptop.file))
  }

  mutating func saw(_ screen: Screen) {
    screens.append(screen)
    screens.removeFirst(max(0, screens.count - 3))
  }

  /// Starts the list once more, in a terminal of its own.
  mutating func restart() async throws {
    terminal.session.close()
    terminals += 1
    if size.columns < 20 || size.rows < 5 { size = (80, 24) }
    note("  the list is started again, \(size.columns) by \(size.rows)")
    terminal = try await RoughTerminal.open(laptop, number: terminals, size: size)
  }

  mutating func resize(_ columns: Int, _ rows: Int) async throws {
    size = (columns, rows)
    note("resized to \(columns) by \(rows)")
    try await terminal.session.resize(columns: columns, rows: rows)
  }

  mutating func stopServer(with signal: Int32) async throws {
    guard let server else { return }
    note("the server ends by signal \(signal)")
    self.server = nil
    _ = try await server.stop(with: signal)
  }

  mutating func startServer() async throws {
    guard server == nil else { return }
    note("the server starts again")
    server = try await ServerProcess.start(workspace, database: home.database, port: home.port)
  }

  /// What was done, and the last screens.
  var report: String {
    "seed \(seed):\n\(steps.suffix(40).joined(separator: "\n"))\n\(screens.map(\.description).joined(separator: "\n"))"
  }
}
