import OfflineSync
import TableProtocol

extension Story {
  /// The same with one fate for all notices.
  package func with(_ fate: NoticeFate) -> Story {
    var story = self
    story.steps = steps.map { step in
      if case .edge(.notice(let device, _)) = step { .edge(.notice(device: device, fate)) } else { step }
    }
    return story
  }

  /// The same with changes that meet no others: each device has items of its own, and nothing goes wrong. What comes of
  /// them does not depend on when anybody syncs.
  package var withoutClashes: Story {
    var story = self
    let count = settings.devices
    story.settings.extents = Array(repeating: .all, count: count)
    story.settings.deciders = Array(repeating: nil, count: count)
    story.steps = steps.compactMap { step in
      switch step {
      case .add(let device, let item, let serial): .add(device: device, item: item * count + device, serial: serial)
      case .rewrite(let device, let item, let column, let serial):
        .rewrite(device: device, item: item * count + device, column: column, serial: serial)
      case .toggle(let device, let item): .toggle(device: device, item: item * count + device)
      case .delete(let device, let item): .delete(device: device, item: item * count + device)
      case .sync, .time: step
      case .edge(.notice): step
      case .editWord, .revert, .undelete, .resolve, .undo, .redo, .otherAccount, .purge, .cancel, .restart, .weather,
        .crash, .meanwhile, .contend, .foreign, .commitLate, .deliverDelayed, .restartServer, .serverMoves,
        .serverRefuses, .setClock, .setServerClock, .edge:
        nil
      }
    }
    return story
  }

  /// What each device has in the end, and the server: its rows, without their times and versions.
  package var lists: [[String]] {
    let world = World(settings)
    defer { world.end() }
    world.run(steps)
    return world.lists + [[world.violation.map { "\($0)" } ?? ""]]
  }
}

extension World {
  fileprivate var lists: [[String]] {
    let there = server.rows.values.filter { !$0.deleted }.map { "\($0.id) \($0.values.sortedText)" }.sorted()
    return devices.map { $0.rows.map { "\($0.id) \($0.values.sortedText)" }.sorted() } + [there]
  }
}

extension [String: FieldValue] {
  fileprivate var sortedText: String {
    sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }
}
