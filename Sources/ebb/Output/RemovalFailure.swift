import Words

/// Why nothing was removed from the server's database.
enum RemovalFailure: Error {
  /// There is no terminal to ask at, and nobody said beforehand that it is wanted.
  case notAsked
  case declined
  /// The table of to-do items, which every server has.
  case builtInTable
  case unknownTable(String)
  case unknownUser(String)

  var status: Int32 {
    switch self {
    case .notAsked, .builtInTable: ExitStatus.wrongUsage
    case .declined, .unknownTable, .unknownUser: ExitStatus.failed
    }
  }

  var sentence: String {
    let words = ErrorMessages.catalogue
    return switch self {
    case .notAsked: words.text(.removalNotAsked)
    case .declined: words.text(.removalDeclined)
    case .builtInTable: words.text(.tablesBuiltIn)
    case .unknownTable(let name): words.text(.tablesUnknown, ["name": name])
    case .unknownUser(let name): words.text(.usersUnknown, ["name": name])
    }
  }
}
