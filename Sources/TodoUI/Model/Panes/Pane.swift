import OfflineSync
package import TodoCore

/// What stands in place of the list, over all of its rows, until it is closed.
enum Pane: Equatable, Sendable {
  /// What waits to be sent; `total` may be more than are shown.
  case outbox(Choice<WaitingChange>, total: Int)
  /// What changed while the user was away.
  case digest(Choice<Arrival>)
  /// What an item has been, newest first.
  case story(TodoItem, Choice<ItemVersion>)
  /// Everything known about an item, from this line on.
  case detail(ItemDetail, from: Int)
  /// The requests to the server, newest first.
  case log(Choice<RequestRecord>)

  var place: Place {
    switch self {
    case .outbox: .outbox
    case .digest: .digest
    case .story: .story
    case .detail: .detail
    case .log: .log
    }
  }

  /// `height` is how many rows there are for the entries.
  mutating func move(_ step: Step, height: Int) {
    switch self {
    case .outbox(var choice, let total):
      choice.move(step, height: height)
      self = .outbox(choice, total: total)
    case .digest(var choice):
      choice.move(step, height: height)
      self = .digest(choice)
    case .story(let item, var choice):
      choice.move(step, height: height)
      self = .story(item, choice)
    case .log(var choice):
      choice.move(step, height: height)
      self = .log(choice)
    case .detail(let detail, let line):
      self = .detail(detail, from: step.applied(to: line, last: 200))
    }
  }
}

/// How far to move among entries.
enum Step: Equatable, Sendable {
  case by(Int)
  case toFirst, toLast

  init?(_ command: Command, page: Int) {
    switch command {
    case .first: self = .toFirst
    case .last: self = .toLast
    default:
      guard let rows = command.step(page: page) else { return nil }
      self = .by(rows)
    }
  }

  func applied(to index: Int, last: Int) -> Int {
    switch self {
    case .by(let count): max(0, min(last, index + count))
    case .toFirst: 0
    case .toLast: max(0, last)
    }
  }
}

extension Choice {
  mutating func move(_ step: Step, height: Int) {
    move(to: step.applied(to: index, last: elements.count - 1), height: height)
  }
}

/// Everything known about an item.
package struct ItemDetail: Equatable, Sendable {
  package var item: TodoItem
  package var handle: String
  /// The change of it that waits.
  package var change: WaitingChange?
  /// How many versions of it this device has seen.
  package var versions: Int

  package init(item: TodoItem, handle: String, change: WaitingChange? = nil, versions: Int = 1) {
    self.item = item
    self.handle = handle
    self.change = change
    self.versions = versions
  }
}
