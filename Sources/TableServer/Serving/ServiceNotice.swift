import Glibc
import ServiceLifecycle

/// Tells whoever manages the process how it goes, as `sd_notify` of systemd does: a datagram to a socket that the
/// environment names.
package struct ServiceNotice: Sendable {
  /// The text of a notice.
  package enum Word: String, Sendable {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
    case alive = "WATCHDOG=1"
  }

  private let address: UnixAddress
  /// Within which time the manager wants to hear that the process lives; nil if it does not watch.
  package let watchdog: Duration?

  /// `value` gives the variables of the environment. Nil if nobody wants to be told.
  package init?(_ value: (String) -> String?, process: Int32) {
    guard let socket = value("NOTIFY_SOCKET"), socket.hasPrefix("/") || socket.hasPrefix("@"), socket.utf8.count > 1,
      let address = UnixAddress(socket)
    else { return nil }
    self.address = address
    // Meant for another process of the service.
    let isMeant = value("WATCHDOG_PID").map { $0 == "\(process)" } ?? true
    watchdog = value("WATCHDOG_USEC").flatMap(Int64.init).flatMap { isMeant && $0 > 0 ? .microseconds($0) : nil }
  }

  /// A manager that can't be told is no reason to stop.
  package func say(_ word: Word) {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let text = Array(word.rawValue.utf8)
    _ = address.with { sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, $1) }
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
