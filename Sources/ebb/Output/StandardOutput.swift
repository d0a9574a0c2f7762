import Glibc

/// Standard output and standard error, written whole and at once.
enum StandardOutput {
  static func line(_ text: String) {
    write(Array((text + "\n").utf8), to: STDOUT_FILENO)
  }

  static func bytes(_ bytes: [UInt8]) {
    write(bytes, to: STDOUT_FILENO)
  }

  static func error(_ sentence: String) {
    write(Array(("ebb: " + sentence + "\n").utf8), to: STDERR_FILENO)
  }

  /// Stops without a word when nobody reads any more, as in `ebb list | head`.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { return }
        rest = rest.dropFirst(written)
      }
    }
  }
}
