import Glibc
package import NIOCore
import TableProtocol

/// How much of the server one client, or all of them together, may use.
package struct ServerLimits: Sendable {
  /// From the opening of a connection until its first request is there, without the body.
  package var head = TimeAmount.seconds(10)
  /// From an answer to the next request on the same connection, without the body.
  package var idle = TimeAmount.seconds(75)
  /// From a request to the end of its body.
  package var body = TimeAmount.seconds(60)
  /// Without a byte of an answer that the client takes.
  package var sending = TimeAmount.seconds(30)
  /// For the bytes that a client still sends after an answer that closes the connection.
  package var lingering = TimeAmount.seconds(5)
  /// Connections at the same time. One more takes the place of one that keeps the server waiting: the one that is idle
  /// for longest, else one whose client does not go on with its request.
  package var connections = 2_000
  /// The same for one address, except that of this machine: a proxy before the server has that.
  package var connectionsOfAnAddress = 250
  /// Streams of notices at the same time. Their connections are counted here and not above.
  package var streams = 10_000
  /// The same for one user, or for one address that shows no token, except that of this machine.
  package var streamsOfASender = 250
  /// From one sign of life on a stream to the next.
  package var heartbeat = Duration.seconds(ListLevel.heartbeatSeconds)
  /// For the database to say how far a list is: less than a client waits for the first line of a stream.
  package var look = Duration.seconds(3)
  /// From a look that failed to the next, which ends the streams of the list if it fails too.
  package var secondLook = Duration.seconds(5)
  /// How long a stream lasts, give or take a tenth: then its client may meet another server behind the same address.
  package var streamLife = Duration.seconds(3_600)
  /// From one notice about a list to the next.
  package var noticePause = Duration.milliseconds(250)
  /// Bytes of bodies that are being read or carried out, of all connections.
  package var bodies = 134_217_728
  /// Bytes of answers that are being sent, of all connections.
  package var answers = 134_217_728
  /// For what the database does to answer one request for a list.
  package var statement = Duration.seconds(5)
  /// For a database that another program uses.
  package var busy = Duration.seconds(5)
  /// Columns that each user may add to their lists in an hour.
  package var columnsInAnHour = 50
  /// Requests that one user may make at once, and so may one address, except that of this machine. An entry of a batch
  /// counts as one. A device that sends a list of 10,000 items for the first time needs as many.
  package var requestsAtOnce = 100_000
  /// How many of these come back each second.
  package var requestsASecond = 200
  /// For what the server remembers of tokens before it looks again whether one was given out or taken back.
  package var tokenAge = Duration.seconds(1)

  /// From the start to the first look for old tombstones, and from one look to the next.
  package var firstSweep = Duration.seconds(300)
  package var sweeps = Duration.seconds(3_600)

  package init() {}
}

extension ServerLimits {
  /// The same with no more connections than the system lets this process have, which is asked for as many as it may
  /// have: a server without a number for a new connection would answer nobody.
  func fittingOpenFiles() -> ServerLimits {
    var files = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return self }
    if files.rlim_cur < files.rlim_max {
      files.rlim_cur = files.rlim_max
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files)
    }
    var limits = self
    let most = max(2, Int(clamping: files.rlim_cur) - Self.otherFiles)
    // Where there is no room for both, streams leave half of it to requests.
    limits.streams = min(streams, max(most - connections, most / 2))
    limits.connections = min(connections, most - limits.streams)
    return limits
  }

  /// Those of the database, the log and the event loops.
  private static let otherFiles = 64
}
