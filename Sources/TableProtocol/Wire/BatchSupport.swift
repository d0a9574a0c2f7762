/// Whether a server takes JSON batches, and how large (table-protocol 18.4).
package enum BatchSupport: Sendable, Hashable {
  /// It was tried, and the server does not.
  case unsupported
  /// At most so many entries and so many bytes of body in one batch.
  case json(entries: Int, bytes: Int)

  /// For a server that takes batches and does not say how large (table-protocol 18.2).
  package static let unstated = BatchSupport.json(entries: 100, bytes: 1_048_576)
  /// What our own server takes.
  package static let own = BatchSupport.json(entries: 1_000, bytes: 4_194_304)

  /// Reads the value of `x-zumo-batch`, as in `json; max=1000; bytes=4194304`, and the ``text`` of
  /// `unsupported`. Nil for another format and for limits that are none.
  package init?(_ text: some StringProtocol) {
    let parts = text.lowercased().split(separator: ";").map(\.trimmingSpaces)
    guard parts.first == "json" else {
      guard parts == ["none"] else { return nil }
      self = .unsupported
      return
    }
    guard case .json(var entries, var bytes) = Self.unstated else { return nil }
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map(\.trimmingSpaces)
      guard pair.count == 2 else { continue }
      guard let number = Int(pair[1]), number > 0 else { return nil }
      if pair[0] == "max" { entries = number } else if pair[0] == "bytes" { bytes = number }
    }
    self = .json(entries: entries, bytes: bytes)
  }

  /// The value of `x-zumo-batch`, and what is remembered of a server.
  package var text: String {
    switch self {
    case .unsupported: "none"
    case .json(let entries, let bytes): "json; max=\(entries); bytes=\(bytes)"
    }
  }
}
