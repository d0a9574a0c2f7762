import InMemoryStore
import OfflineSync

/// A store as one program has it, which can die at a commit. From then on it answers that program nothing.
struct MortalStore: LocalStore {
  struct Death: Error {}

  let base: InMemoryStore
  let world: World
  let device: Int
  let program: Int

  private var isDead: Bool { world.devices[device].programs[program].isDead }

  func read<Value>(_ body: (any StoreReader) throws -> Value) throws -> Value {
    guard !isDead else { throw Death() }
    return try base.read(body)
  }

  func write<Value>(_ body: (any StoreWriter) throws -> Value) throws -> Value {
    guard !isDead else { throw Death() }
    var crash: Crash?
    let value = try base.write { store in
      let value = try body(store)
      crash = world.devices[device].takeCrash()
      if crash == .beforeCommit { throw Death() }
      return value
    }
    if crash == .afterCommit { throw Death() }
    return value
  }
}
