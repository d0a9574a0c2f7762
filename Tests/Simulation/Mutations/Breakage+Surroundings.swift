import OfflineSync
import Synchronization
import TableProtocol

/// Rules about what stands between a device and its list: caches, clocks, emptied databases, other programs.
extension Breakage {
  /// Never compares all, which alone shows what an older list hid.
  static let comparesNothing = Breakage(
    "does not compare all when it is told to", edges: [.stalePages], law: .agreement,
    request: { $0.isFull = false })

  /// Does not look at the server's clock, so that a step back hides what is written after it.
  static let ignoresServerClock = Breakage(
    "does not look at the server's clock", edges: [.clockFarBack], law: .agreement,
    remote: { base in
      var remote = ForwardingRemote(base: base)
      remote.listed = { _, page in
        var page = page
        page.serverTime = nil
        return page
      }
      return remote
    })

  /// Takes every row in an answer for what the change made.
  static let believesAnyRow = Breakage(
    "does not look at the row in an answer", edges: [.otherAnswers],
    remote: { base in
      var remote = ForwardingRemote(base: base)
      remote.answer = { change, answer in
        guard case .accepted(var row?) = answer else { return answer }
        if let sent = change.record { row.values = sent.values } else { row.system.deleted = true }
        row.system.version = row.system.version.map { RecordVersion($0.text + "believed") }
        return .accepted(row)
      }
      return remote
    })

  /// Takes a server that lost all its rows at its word.
  static let believesLoss = Breakage(
    "empties the list when the server has lost its rows", edges: [.emptiedServer], law: .massDeletion,
    request: { $0.allowsMassRemoval = true })

  /// Goes on from where this program came itself, whatever the other one did to the list.
  static let keepsOwnTokens = Breakage(
    "goes on from where it came itself", edges: [.twoPrograms],
    store: { base in (base as? MortalStore).map { OwnTokenStore(base: $0) } ?? base })
}

/// Keeps the delta tokens of each program on a device apart.
private final class OwnTokenStore: LocalStore {
  let base: MortalStore
  private let own = [OwnTokens(), OwnTokens()]

  init(base: MortalStore) { self.base = base }

  private var tokens: OwnTokens { own[base.world.devices[base.device].window] }

  func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value {
    try base.read { reader in
      // A reader of the store in memory can write too.
      guard let writer = reader as? any StoreWriter else { return try body(reader) }
      return try body(OwnTokenWriter(writer, tokens))
    }
  }

  func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value {
    try base.write { try body(OwnTokenWriter($0, tokens)) }
  }
}

private final class OwnTokens: Sendable {
  let byName = Mutex<[StoreSetting: String]>([:])
}

private final class OwnTokenWriter: ForwardingWriter {
  private let own: OwnTokens

  init(_ base: any StoreWriter, _ own: OwnTokens) {
    self.own = own
    super.init(base)
  }

  override func setting(_ name: StoreSetting) throws -> String? {
    try own.byName.withLock { $0[name] } ?? super.setting(name)
  }

  override func set(_ name: StoreSetting, to value: String?) throws {
    switch name {
    case .deltaToken: own.byName.withLock { $0[name] = value }
    case .fact: break
    }
    try super.set(name, to: value)
  }

  override func clear(_ memory: StoreMemory, of table: String) throws {
    if memory == .deltaTokens { own.byName.withLock { $0 = [:] } }
    try super.clear(memory, of: table)
  }
}
