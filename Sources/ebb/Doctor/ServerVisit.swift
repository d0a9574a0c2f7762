import OfflineSync
import TableClient
import TableProtocol
import TodoCore

/// One question to the server, and what it said of itself.
struct ServerVisit {
  let remote: HTTPRemoteTable
  let failure: RemoteFailure.Reason?
  /// The identity of its database, where it told one.
  let database: String?
  /// How long the answer took.
  let milliseconds: Int64

  /// Asks for one row at most, and waits for the answer. `now` is UTC.
  init(remote: HTTPRemoteTable, now: () -> Timestamp) {
    self.remote = remote
    let start = now()
    do throws(RemoteFailure) {
      database = try remote.identify(TodoList.table)
      failure = nil
    } catch {
      database = nil
      failure = error.reason
    }
    milliseconds = max(0, now().milliseconds - start.milliseconds)
  }

  var wasHeard: Bool { failure == nil }
}
