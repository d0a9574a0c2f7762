import Words

/// The groups in which the help shows the commands of the list.
enum HelpGroup: CaseIterable, Sendable {
  case changing, marking, views, details, syncing, moving, program

  var title: HelpKey {
    switch self {
    case .changing: .keysChanging
    case .marking: .keysMarking
    case .views: .keysViews
    case .details: .keysDetails
    case .syncing: .keysSyncing
    case .moving: .keysMoving
    case .program: .keysProgram
    }
  }
}

extension Command {
  var helpGroup: HelpGroup {
    switch self {
    case .list(let command): command.helpGroup
    case .item: .changing
    case .open(let opening): opening.helpGroup
    case .move: .moving
    case .common(let command): command == .refresh ? .syncing : .program
    case .pane, .conflict, .answer, .typing, .edit: .program
    }
  }
}

extension ListCommand {
  fileprivate var helpGroup: HelpGroup {
    switch self {
    case .add, .addInGroup, .edit, .editNote, .undo, .redo, .resume: .changing
    case .filter, .savedFilter, .saveFilter, .agenda, .nextView, .previousView, .sort, .panel, .togglePanel: .views
    case .nextGroup, .previousGroup: .moving
    case .mark, .markRange, .markAll: .marking
    case .nextArrival, .previousArrival: .details
    case .verify: .syncing
    case .dismiss, .toggleMouse, .theme, .quit: .program
    }
  }
}

extension Opening {
  fileprivate var helpGroup: HelpGroup {
    switch self {
    case .detail, .story, .digest: .details
    case .conflicts, .outbox, .log: .syncing
    }
  }
}
