/// Counts of what went over the wire. Bytes are those of request and response bodies.
public struct Traffic: Sendable, Hashable {
  public var requests = 0
  public var bytesSent = 0
  public var bytesReceived = 0

  package init() {}

  package static func - (later: Traffic, earlier: Traffic) -> Traffic {
    var difference = later
    difference.requests -= earlier.requests
    difference.bytesSent -= earlier.bytesSent
    difference.bytesReceived -= earlier.bytesReceived
    return difference
  }
}
