import OfflineSync
import TableProtocol
import TodoCore

/// Something read for the user that stands in place of the list, over all of its rows, until it is closed.
enum Pane: Equatable, Sendable {
  /// Changes that wait to be sent; `total` may be more than are shown.
  case outbox(Choice<WaitingChange>, total: Int)
  /// Changes that came while the user was away.
  case digest(Choice<Arrival>)
  /// The versions of an item, newest first.
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

  /// `height` is how many rows there are for the entries, `last` the first line of the last page of the details.
  mutating func move(_ step: Step, height: Int, last: Int) {
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
      self = .detail(detail, from: step.applied(to: line, last: last))
    }
  }
}

extension Pane {
  /// Goes to the change of this item that waits, if there is one.
  mutating func choose(_ id: RecordID, height: Int) {
    guard case .outbox(var choice, let total) = self else { return }
    choice.choose(height: height) { $0.id == id }
    self = .outbox(choice, total: total)
  }

  /// The place of the chosen entry, from 0; nil where nothing is chosen.
  var position: Int? {
    switch self {
    case .outbox(let choice, _): choice.current == nil ? nil : choice.index
    case .digest(let choice): choice.index
    case .story(_, let choice): choice.index
    case .log(let choice): choice.index
    case .detail: nil
    }
  }

  /// How many entries there are; nil where there are none to choose.
  var total: Int? {
    switch self {
    case .outbox(_, let total): total
    case .digest(let choice): choice.elements.count
    case .story(_, let choice): choice.elements.count
    case .log(let choice): choice.elements.count
    case .detail: nil
    }
  }

  /// The request that reads it again; nil for one that stays as it was opened.
  var request: PaneRequest? {
    switch self {
    case .outbox: .outbox
    case .digest: nil
    case .story(let item, _): .story(id: item.id)
    case .detail(let detail, _): .detail(id: detail.item.id)
    case .log: .log
    }
  }

  init?(_ content: PaneContent) {
    switch content {
    case .outbox(let changes, let total): self = .outbox(Choice(changes), total: total)
    case .digest(let arrivals): self = .digest(Choice(arrivals))
    case .story(let item, let versions): self = .story(item, Choice(versions))
    case .detail(let detail): self = .detail(detail, from: 0)
    case .log(let requests): self = .log(Choice(requests))
    case .gone: return nil
    }
  }

  /// Returns this pane with content that was read again; nil if the content is of another pane.
  func replaced(with content: PaneContent, height: Int) -> Pane? {
    switch (self, content) {
    case (.outbox(var choice, _), .outbox(let changes, let total)):
      choice.replace(with: changes, height: height) { $0.id == $1.id }
      return .outbox(choice, total: total)
    case (.story(_, var choice), .story(let item, let versions)):
      choice.replace(with: versions, height: height) { $0.number == $1.number }
      return .story(item, choice)
    case (.log(var choice), .log(let requests)):
      choice.replace(with: requests, height: height, isSame: ==)
      return .log(choice)
    case (.detail(_, let line), .detail(let detail)): return .detail(detail, from: line)
    case (.outbox, _), (.digest, _), (.story, _), (.log, _), (.detail, _): return nil
    }
  }
}

extension PaneContent {
  /// The notice in place of an empty pane.
  var nothing: Notice? {
    switch self {
    case .outbox(let changes, _): changes.isEmpty ? .pane(.outboxEmpty) : nil
    case .digest(let arrivals): arrivals.isEmpty ? .rows(.nothingArrived) : nil
    case .log(let requests): requests.isEmpty ? .pane(.logEmpty) : nil
    case .story, .detail, .gone: nil
    }
  }
}

/// Entries one below the other, one of them chosen.
struct Choice<Element: Equatable & Sendable>: Equatable, Sendable {
  private(set) var elements: [Element]
  private(set) var index = 0
  /// The entry on the first row.
  private(set) var top = 0

  init(_ elements: [Element]) {
    self.elements = elements
  }

  var current: Element? {
    elements.indices.contains(index) ? elements[index] : nil
  }

  /// `height` is how many rows there are for the entries.
  mutating func move(_ step: Step, height: Int) {
    move(to: step.applied(to: index, last: elements.count - 1), height: height)
  }

  /// Goes to the first entry for which this is true; stays if there is none.
  mutating func choose(height: Int, where isWanted: (Element) -> Bool) {
    if let place = elements.firstIndex(where: isWanted) { move(to: place, height: height) }
  }

  private mutating func move(to index: Int, height: Int) {
    self.index = max(0, min(elements.count - 1, index))
    top = min(top, self.index)
    top = max(top, self.index - max(1, height) + 1)
    top = max(0, min(top, max(0, elements.count - height)))
  }

  /// Stays with the entry that was chosen; when that is gone, the next one takes its place.
  mutating func replace(with elements: [Element], height: Int, isSame: (Element, Element) -> Bool) {
    let current = current
    self.elements = elements
    let place = current.flatMap { current in elements.firstIndex { isSame($0, current) } }
    move(to: place ?? index, height: height)
  }

  /// The entries on so many rows, with their places. They may be fewer rows than there were when it moved last: the
  /// chosen entry is among them all the same.
  func visible(height: Int) -> ArraySlice<(offset: Int, element: Element)> {
    let first = max(top, index - max(1, height) + 1)
    return Array(elements.enumerated()).dropFirst(first).prefix(max(0, height))
  }
}
