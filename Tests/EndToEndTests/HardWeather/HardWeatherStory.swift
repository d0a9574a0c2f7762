import Chance
import Glibc

/// One world told from a seed: three devices, a server, and a bad line between them.
///
/// The seed decides what is done and what goes wrong. Programs really run side by side, so how far a killed one had
/// come is not the seed's to decide; a story that failed may have to be told a few times until it fails again.
struct HardWeatherStory {
  static let length = 22

  let seed: UInt64
  var chance: SeededGenerator
  var devices: [Device] = []
  var ledger = Ledger()
  /// What was done so far, for the report of a failure.
  private(set) var steps: [String] = []
  /// Nil while the server is down.
  private(set) var server: ServerProcess?
  let proxy: WeatherProxy
  private let home: ServerProcess
  private var words = 0

  init(seed: UInt64, in workspace: Workspace) async throws {
    self.seed = seed
    chance = SeededGenerator(seed: seed)
    home = try await ServerProcess.start(workspace)
    server = home
    proxy = try WeatherProxy(to: home)
    devices = ["laptop", "phone", "tablet"].map { Device(workspace, name: $0, server: proxy.url) }
  }

  var serverFile: DatabaseFile { DatabaseFile(path: home.database) }

  mutating func note(_ step: String) { steps.append(step) }

  /// A word no other edit brings.
  mutating func newWord() -> String {
    words += 1
    return "w\(words)"
  }

  mutating func killServer() async throws {
    guard let server else { return }
    note("the server is killed")
    self.server = nil
    _ = try await server.stop(with: SIGKILL)
    try expectSound(serverFile, "the server's database")
  }

  mutating func startServer() async throws {
    guard server == nil else { return }
    note("the server starts again")
    server = try await ServerProcess.start(home.workspace, database: home.database, port: home.port)
  }

  func expectSound(_ file: DatabaseFile, _ name: String) throws {
    let damage = try file.damage()
    guard damage.isEmpty else { throw Failure("\(name): \(damage.joined(separator: ", "))") }
  }
}

extension Device {
  var file: DatabaseFile { DatabaseFile(path: store) }
  var name: String { store.split(separator: "/").last.map { String($0.prefix { $0 != "." }) } ?? store }
}
