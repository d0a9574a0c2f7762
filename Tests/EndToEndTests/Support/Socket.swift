import Foundation
import Glibc

/// A loopback stream socket, blocking, closed to the programs we start.
struct Socket: Sendable {
  private let descriptor: Int32

  /// A listening socket on a port that was free.
  static func listen() throws -> (Socket, port: Int) {
    let socket = Socket(descriptor: open())
    var address = loopback(port: 0)
    let bound = withGeneric(&address) { bind(socket.descriptor, $0, $1) }
    guard bound == 0, Glibc.listen(socket.descriptor, 64) == 0 else { throw Failure("no port to listen on") }
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withGeneric(&address) { pointer, _ in getsockname(socket.descriptor, pointer, &length) }
    return (socket, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// A port that was free a moment ago.
  static func freePort() throws -> Int {
    let (socket, port) = try listen()
    socket.close()
    return port
  }

  static func connect(to port: Int) -> Socket? {
    let socket = Socket(descriptor: open())
    var address = loopback(port: port)
    return withGeneric(&address) { Glibc.connect(socket.descriptor, $0, $1) } == 0 ? socket : nil
  }

  func accept() -> Socket? {
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    return Socket(descriptor: accepted)
  }

  /// The next bytes, or nil at the end.
  func read() -> Data? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Data(buffer[..<count]) : nil
  }

  /// Whether all the bytes were taken.
  func write(_ bytes: Data) -> Bool {
    var left = Array(bytes)
    while !left.isEmpty {
      let count = send(descriptor, left, left.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { return false }
      left.removeFirst(count)
    }
    return true
  }

  /// Ends both directions; whoever waits on it is woken. The number itself is not given back, so that no other
  /// thread can meet it as something else; a test makes few.
  func shut() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Gives the number back. Only when no other thread can use it any more.
  func close() {
    Glibc.close(descriptor)
  }

  private static func open() -> Int32 {
    socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }

  private static func loopback(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return address
  }

  private static func withGeneric<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
