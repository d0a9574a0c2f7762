import Glibc
import Support

/// A connection that sends what a test says, byte for byte, and reads what comes.
final class RawConnection: Sendable {
  private let socket: Int32

  struct NotConnected: Error {}

  /// One that `takesLittle` has next to no room for bytes that were not read.
  init(_ server: TestServer, takesLittle: Bool = false) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if takesLittle { SmallBuffers.set(SO_RCVBUF, of: socket) }
    var address = sockaddr_in(loopbackPort: server.port)
    // Far more than any of the server's limits in these tests: a connection that should end and does not is seen.
    var patience = timeval(tv_sec: 240, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let outcome = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard outcome == 0 else { throw NotConnected() }
  }

  deinit { Glibc.close(socket) }

  /// Returns when everything is with the system, or the server has closed.
  func send(_ text: String) async {
    let bytes = Array(text.utf8)
    await blocking { [socket] in
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        sent += count
      }
    }
  }

  /// Everything until the server closes; nil if it does not.
  func readToEnd() async -> String? { await read { _ in false } }

  /// The next bytes; empty if the server has closed, nil if nothing comes.
  func readSome() async -> String? { await read { !$0.isEmpty } }

  /// What comes until it contains the words; less if the server closes before, nil if it does not.
  func read(until words: String) async -> String? {
    let bytes = Array(words.utf8)
    return await read { $0.count >= bytes.count && $0.firstRange(of: bytes) != nil }
  }

  private func read(until isEnough: @escaping @Sendable ([UInt8]) -> Bool) async -> String? {
    await blocking { [socket] in
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !isEnough(bytes) {
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN { return nil }
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

/// A loopback port whose connections have next to no room for bytes that their clients do not take. A `TestServer` that
/// listens there closes it.
struct NarrowPort {
  let socket: Int32
  let port: Int

  init() throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    SmallBuffers.set(SO_SNDBUF, of: socket)
    var address = sockaddr_in(loopbackPort: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { [socket] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, size) == 0 && listen(socket, 16) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    guard isBound else { throw RawConnection.NotConnected() }
    port = Int(in_port_t(bigEndian: address.sin_port))
  }
}

private enum SmallBuffers {
  /// Connections that are accepted have the buffers of the socket that listens.
  static func set(_ buffer: Int32, of socket: Int32) {
    for (level, option, value) in [(SOL_SOCKET, buffer, 1), (Int32(IPPROTO_TCP), TCP_MAXSEG, 536)] {
      var value = Int32(value)
      setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}

extension sockaddr_in {
  fileprivate init(loopbackPort port: Int) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_port = in_port_t(port).bigEndian
    sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  }
}
