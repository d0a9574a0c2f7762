import OfflineSync
import TableProtocol

/// One run of the program on a device, from its start to its end.
///
/// After a crash the next program may be at work while the last request of the dead one still is on its way.
struct Program {
  var isDead = false
  var isSyncing = false
  /// True while a request is on its way.
  var isWaiting = false
  /// True when it died while a request was on its way: the code that waits for the answer can't be stopped.
  var diedWaiting = false
  /// Of the sync that runs.
  var cancellation = Cancellation()
  /// How far its changes say that it has read.
  var reached: Timestamp?
  /// True when the request that is on its way is to end without an answer.
  var isInterrupted = false
}
