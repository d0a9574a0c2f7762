import OfflineSync
import TableClient
import TableProtocol
import TodoCore

/// One request to the server, and what the answer says about it.
struct ServerProbe {
  let remote: HTTPRemoteTable
  let failure: RemoteFailure.Reason?
  /// The identity of its database; nil if it did not say.
  let database: String?
  /// The time until the answer, or until the failure.
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

  var wasAnswered: Bool { failure == nil }
}
