import TableProtocol
import TableStorage

extension StorageError {
  /// The words for the log: never a text of a row, never SQL. Nil for what is no fault of the server's.
  func logLine(of database: String) -> String? {
    switch self {
    case .damagedRow(let id, let column):
      "A stored row is damaged: \(id?.text.debugDescription ?? "its id"), column \(column)."
    case .busy: "The database is in use by another program."
    case .waitedTooLong:
      "A request waited too long for those before it, which the database did not answer in time, and was not carried out."
    case .full: "There is no room left on the disk of \(database). Writes are refused (507) until there is."
    case .tooSlow: "A request took the database too long and was stopped."
    case .fileGone:
      """
      The file of the database was removed or replaced while the server runs. Nothing is read or written. Stop the \
      server, put the file back, and start it again.
      """
    case .unreachable(let words): "The database can't be reached: \(words)"
    case .outcomeUnknown:
      "The database did not answer a commit. Its outcome is not known, and the client was answered so (504)."
    case .notAllowed: "The database does not let the server's user do what a request needs. Give it back its rights."
    case .refused(let words), .failed(let words): "A request failed in the database: \(words)"
    case .valueTooLarge, .interrupted: nil
    }
  }
}
