import TodoCore

/// What the screen knows of refreshing.
struct Refresh: Equatable, Sendable {
  /// Nil while none runs.
  var progress: Progress?
  /// Counts up while one runs; the spinner's picture is taken from it.
  var step = 0
  /// What the last one in this session was to do.
  var wish = RefreshWish()
  /// How the last one in this session ended.
  var result: RefreshResult?

  enum Progress: Equatable, Sendable {
    case starting
    case waitingForOtherProgram
    case moving(RefreshProgress)
    /// It was told to stop and is on its way to a safe point.
    case stopping
  }

  var isRunning: Bool { progress != nil }
}

/// Where the list stands with its server, as far as this session knows.
enum Connection: Equatable, Sendable {
  case noServer
  case neverSynced
  /// It has synced before; nothing was asked of the server yet.
  case notAsked
  case online
  case offline
}

extension Model {
  /// True when there is nothing that Escape would take away before.
  var escapeStops: Bool {
    refresh.isRunning && refresh.progress != .stopping && notice == nil && query.filter.isEmpty
  }

  /// Nil until the status was read.
  var connection: Connection? {
    guard let sync = status?.sync else { return nil }
    if sync.server == nil { return .noServer }
    if let result = refresh.result {
      switch result.failure {
      case .unreachable: return .offline
      // Nothing need have been asked of the server.
      case .store, .otherProgramBusy, .cancelled, .noServer, .otherAccount: break
      case nil, .signInNeeded, .notAllowed, .serverBusy, .serverError, .badAnswer, .massRemoval:
        return .online
      }
    }
    return sync.lastPull == nil && sync.lastPush == nil ? .neverSynced : .notAsked
  }
}
