import Foundation
import Testing

@Suite("The proxy that counts requests")
struct RequestScannerTests {
  private static let requests = """
    GET /tables/TodoItem?$top=50 HTTP/1.1\r
    Host: here\r
    \r
    POST /tables/TodoItem HTTP/1.1\r
    Content-Length: 27\r
    \r
    GET / HTTP/1.1\r\nHost: a\r\n\r\nPATCH /tables/TodoItem/1 HTTP/1.1\r
    Transfer-Encoding: chunked\r
    \r
    3\r
    abc\r
    0\r
    \r
    DELETE /tables/TodoItem/2 HTTP/1.1\r
    \r

    """

  @Test("finds every request, however its bytes arrive, and none in a body", arguments: [1, 2, 7, 4096])
  func findsRequests(piece: Int) {
    var scanner = RequestScanner()
    var rest = Data(Self.requests.utf8)
    while !rest.isEmpty {
      scanner.read(Data(rest.prefix(piece)))
      rest = Data(rest.dropFirst(piece))
    }
    #expect(
      scanner.requests == [
        "GET /tables/TodoItem?$top=50", "POST /tables/TodoItem", "PATCH /tables/TodoItem/1",
        "DELETE /tables/TodoItem/2",
      ])
  }
}
