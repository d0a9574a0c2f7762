import Glibc

/// What is on its way to the terminal. Writing never waits: what the terminal does not take now is kept for later.
final class TerminalOutput {
  let descriptor: Int32
  private let isOwn: Bool
  private var waiting: ArraySlice<UInt8> = []

  /// The terminal is opened anew: only so it can be told not to wait without telling the shell's end too. When it
  /// cannot be opened (another user's terminal, after `su`), the descriptor is used as it is.
  init(_ descriptor: Int32) {
    let opened = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    isOwn = opened >= 0
    self.descriptor = isOwn ? opened : descriptor
  }

  deinit {
    if isOwn { close(descriptor) }
  }

  /// Whether everything has been taken.
  var isIdle: Bool { waiting.isEmpty }

  func send(_ text: String) {
    send(Array(text.utf8))
  }

  func send(_ bytes: [UInt8]) {
    waiting += bytes
    push()
  }

  /// Writes as much as the terminal takes. When it is gone, everything counts as taken: its end is seen by reading.
  func push() {
    while !waiting.isEmpty {
      let sent = waiting.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if sent > 0 {
        waiting = waiting.dropFirst(sent)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        waiting = []
      }
    }
    waiting = []
  }

  /// Before the terminal is given back: writes all of it, unless the terminal takes nothing for this long.
  func finish(milliseconds: Int32 = 1000) {
    push()
    while !isIdle {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let result = poll(&ready, 1, milliseconds)
      if result < 0 && errno == EINTR { continue }
      if result <= 0 { waiting = [] }
      push()
    }
  }
}
