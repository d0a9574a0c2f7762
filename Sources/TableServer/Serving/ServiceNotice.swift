import Glibc
import ServiceLifecycle

/// Tells whoever manages the process how it goes, as `sd_notify` of systemd does: a datagram to a socket that the
/// environment names.
package struct ServiceNotice: Sendable {
  /// What is told.
  package enum Word: String, Sendable {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
    case alive = "WATCHDOG=1"
  }

  private let socket: String
  /// Within which time the manager wants to hear that the process lives; nil if it does not watch.
  package let watchdog: Duration?

  /// `value` gives the variables of the environment. Nil if nobody wants to be told.
  package init?(_ value: (String) -> String?, process: Int32) {
    guard let socket = value("NOTIFY_SOCKET"), socket.hasPrefix("/") || socket.hasPrefix("@"),
      (2...107).contains(socket.utf8.count)
    else { return nil }
    self.socket = socket
    // Meant for another process of the service.
    let isMeant = value("WATCHDOG_PID").map { $0 == "\(process)" } ?? true
    watchdog = value("WATCHDOG_USEC").flatMap(Int64.init).flatMap { isMeant && $0 > 0 ? .microseconds($0) : nil }
  }

  /// A manager that can't be told is no reason to stop.
  package func say(_ word: Word) {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(socket.utf8)
    // A name without a file begins with a zero byte.
    if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
    let text = Array(word.rawValue.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), address, size)
      }
    }
  }
}

/// Says that the server lives, at half of the time in which its manager wants to hear it.
struct Watchdog: Service {
  let notice: ServiceNotice
  let pause: Duration

  init?(_ notice: ServiceNotice?) {
    guard let notice, let watchdog = notice.watchdog else { return nil }
    self.notice = notice
    pause = watchdog / 2
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: pause)) != nil { notice.say(.alive) }
    }
  }
}
