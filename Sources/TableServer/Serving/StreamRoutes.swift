import HTTPTypes
import Hummingbird
import NIOCore
import TableProtocol
import TableStorage

/// The stream of a list, on its way to the client.
extension TableResponder {
  /// Milliseconds after which a client may come back when a stream has ended.
  private static let retry = 5_000
  private static let heartbeat = ByteBuffer(string: ":\n\n")

  /// Throws `RequestError`. HEAD gets the head alone.
  func stream(
    of list: ListID, for visitor: Visitor, _ table: TableRequest, _ database: OpenDatabase
  ) async throws -> Response {
    var answer = database.routes.identified(TableResponse(.ok, headers: [.contentType: ListLevel.mediaType]))
    // Nothing follows on the connection. So a stream to a client of HTTP/1.0, as nginx is, ends with it.
    answer.headers[.connection] = "close"
    answer.headers[.cacheControl] = "no-store"
    answer.headers[.accelBuffering] = "no"
    guard table.method == .get else {
      return Response(status: .ok, headers: answer.headers, body: ResponseBody { try await $0.finish(nil) })
    }
    let open: ListStreams.OpenStream
    do {
      open = try await database.streams.open(list, for: visitor.sender)
    } catch let error as StorageError {
      database.routes.log.failure(error)
      throw RequestError.storage(error)
    }
    ServerConnection.current.map(state.connections.noteStream)
    return Response(status: .ok, headers: answer.headers, body: parts(of: open))
  }

  private func parts(of open: ListStreams.OpenStream) -> ResponseBody {
    ResponseBody { writer in
      let stream = open.stream
      ServerConnection.current?.whenLeaving { stream.end() }
      var beginning = "retry: \(Self.retry)\n"
      while let part = await stream.next() {
        switch part {
        case .level(let level): try await writer.write(ByteBuffer(bytes: Array(beginning.utf8) + level.event))
        case .heartbeat: try await writer.write(Self.heartbeat)
        }
        beginning = ""
      }
      try await writer.finish(nil)
      withExtendedLifetime(open) {}
    }
  }
}
