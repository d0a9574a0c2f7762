package import FoundationEssentials

/// The Base64 of URLs and file names (RFC 4648, 5), which tokens are written in: without padding, `-` for `+`, `_` for
/// `/`.
package enum Base64URL {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let base64 = Data(bytes).base64EncodedString()
    return String(base64.compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
  }

  /// Reads also plain Base64. Nil for any other text.
  package static func decode(_ text: some StringProtocol) -> Data? {
    let base64 = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4))
  }
}
