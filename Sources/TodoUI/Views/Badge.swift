import TodoCore

/// What the one cell before an item's text says, in the order of what matters most.
enum Badge: Equatable, Sendable, CaseIterable {
  case conflict, refused, inFlight, waiting, arrived, none

  /// A change that was sent without an answer waits like any other, until a refresh here sends it again.
  init(_ item: TodoItem?, isRefreshing: Bool) {
    switch item?.state {
    case .conflict: self = .conflict
    case .refused: self = .refused
    case .inFlight: self = isRefreshing ? .inFlight : .waiting
    case .waiting: self = .waiting
    case .synced, nil: self = item?.hasArrived == true ? .arrived : .none
    }
  }
}
