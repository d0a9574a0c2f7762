import HTTPTypes
import TableProtocol

/// One proxy's word on whom it heard a request from.
struct ForwardedHop: Hashable, Sendable {
  /// Whom a proxy heard from.
  enum Sender: Hashable, Sendable {
    case address(String)
    /// The proxy hides the address, it can't be read, or an element of `Forwarded` has none.
    case hidden
    /// The proxy sets scheme or host alone, in `X-Forwarded-Proto` and `X-Forwarded-Host`.
    case unsaid

    /// Reads a node (RFC 7239, 6). A port may follow the address.
    init(node: String) {
      var address = node[...]
      if node.hasPrefix("["), let end = node.firstIndex(of: "]") {
        let rest = node[node.index(after: end)...]
        if rest.isEmpty || rest.hasPrefix(":") { address = node[...end] }
      } else if node.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 {
        address = node.prefix { $0 != ":" }
      }
      let text = String(address)
      self = NetworkAddress(text) == nil ? .hidden : .address(text)
    }

    /// True for the same address in another form too.
    func isSame(as other: Sender) -> Bool {
      switch (self, other) {
      case (.address(let one), .address(let two)): NetworkAddress(one) == NetworkAddress(two)
      case (.hidden, .hidden), (.unsaid, .unsaid): true
      case (.address, _), (.hidden, _), (.unsaid, _): false
      }
    }
  }

  var sender: Sender
  var scheme: String?
  var authority: String?

  /// A chain for each kind of header that is there, with the farthest hop first: `X-Forwarded-For` and its like, and
  /// `Forwarded` (RFC 7239). A proxy knows one kind, and may let through what a client writes into the other.
  static func chains(in headers: HTTPFields) -> [[ForwardedHop]] {
    [common(in: headers), standard(in: headers)].filter { !$0.isEmpty }
  }

  private static func common(in headers: HTTPFields) -> [ForwardedHop] {
    let (chain, scheme, host) = (headers[.forwardedFor], headers[.forwardedProto], headers[.forwardedHost])
    guard chain != nil || scheme != nil || host != nil else { return [] }
    let senders = chain.map(Self.senders) ?? [.unsaid]
    let (schemes, hosts) = (list(scheme ?? ""), list(host ?? ""))
    return senders.indices.map { index in
      // A proxy that does not add to these replaces them: then one value stands for the whole way.
      func value(_ values: [String]) -> String? { values.count == senders.count ? values[index] : values.last }
      return ForwardedHop(sender: senders[index], scheme: value(schemes), authority: value(hosts))
    }
  }

  /// At least one: a chain without addresses hides them.
  private static func senders(_ chain: String) -> [Sender] {
    let nodes = list(chain)
    return nodes.isEmpty ? [.hidden] : nodes.map(Sender.init(node:))
  }

  /// Split by bytes: a client could write a character with which the comma of the next proxy becomes one.
  private static func list(_ field: String) -> [String] {
    field.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0).trimmingWhitespace }.filter { !$0.isEmpty }
  }

  /// The hops that the standard's header names. A proxy adds its word to the last field line, or in a line of its own.
  /// A line that is not well formed says nothing of the addresses in it: a client may have opened a quote in it.
  private static func standard(in headers: HTTPFields) -> [ForwardedHop] {
    guard let name = Header.forwarded.name else { return [] }
    let lines = headers[values: name]
    let hops = lines.flatMap { ForwardedLine.hops($0) ?? [ForwardedHop(sender: .hidden)] }
    return hops.isEmpty && !lines.isEmpty ? [ForwardedHop(sender: .hidden)] : hops
  }
}

/// A field line of `Forwarded`, read from its beginning (RFC 7239, 4).
private struct ForwardedLine {
  private var rest: ArraySlice<UInt8>

  /// Nil if the line is not well formed. A quote only opens a value, is closed, and nothing else follows in that value
  /// (RFC 9110, 5.6.4): otherwise a quote of the client would hide what the proxy added.
  static func hops(_ line: String) -> [ForwardedHop]? {
    var line = ForwardedLine(rest: Array(line.utf8)[...])
    var hops: [ForwardedHop] = []
    repeat {
      // An element without `for` hides its sender. Otherwise `X-Forwarded-For` of the client would name one, if the
      // proxy sets `Forwarded` alone.
      var hop = ForwardedHop(sender: .hidden)
      var isEmpty = true
      repeat {
        guard let (name, value) = line.pair() else { return nil }
        isEmpty = isEmpty && name.isEmpty
        switch name {
        case "for": hop.sender = ForwardedHop.Sender(node: value)
        case "proto": hop.scheme = value
        case "host" where !value.isEmpty: hop.authority = value
        default: break
        }
      } while line.skip(UInt8(ascii: ";"))
      if !isEmpty { hops.append(hop) }
    } while line.skip(UInt8(ascii: ","))
    return hops
  }

  /// The next pair, with its name in lower case. The end of the line, a semicolon or a comma follows it. Nil if the
  /// line is not well formed.
  private mutating func pair() -> (name: String, value: String)? {
    let name = word(endingAt: "=;,\"").lowercased()
    var value = ""
    if skip(UInt8(ascii: "=")) {
      skipSpace()
      if skip(UInt8(ascii: "\"")) {
        guard let text = quoted() else { return nil }
        value = text
        skipSpace()
      } else {
        value = word(endingAt: ";,\"")
      }
    }
    guard let next = rest.first else { return (name, value) }
    return next == UInt8(ascii: ";") || next == UInt8(ascii: ",") ? (name, value) : nil
  }

  /// The text up to the quote that closes it. Nil if none does.
  private mutating func quoted() -> String? {
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        text.append(escaped)
      case _: text.append(byte)
      }
    }
    return nil
  }

  private mutating func word(endingAt signs: String) -> String {
    let word = rest.prefix { !signs.utf8.contains($0) }
    rest = rest[word.endIndex...]
    return String(decoding: word, as: UTF8.self).trimmingWhitespace
  }

  /// True if the next byte is this one; then it is read.
  private mutating func skip(_ sign: UInt8) -> Bool {
    guard rest.first == sign else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipSpace() {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }
}

extension StringProtocol {
  /// Without what HTTP lets stand around a value.
  fileprivate var trimmingWhitespace: String {
    String(trimming { $0 == " " || $0 == "\t" })
  }
}
