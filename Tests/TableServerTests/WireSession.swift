import FoundationEssentials

/// The session of `Resources/docs/write-another-client.md`: its exchanges, as a reader sees them.
///
/// Each stands in a block of its own, marked `session`. Lines with `>` are sent, lines with `<` come back: first the
/// verb and the URL, or the status, then headers, and behind an empty line the body. A name in braces stands for a
/// value of the server.
struct WireSession {
  struct Exchange: Sendable, CustomStringConvertible {
    let verb: Verb
    let target: String
    let requestHeaders: [(name: String, value: String)]
    let requestBody: String?
    let status: Int
    let headers: [(name: String, value: String)]
    let body: String

    var description: String { "\(verb) \(target.prefix(40)) \(status)" }
  }

  struct Unreadable: Error {
    let block: String
  }

  let exchanges: [Exchange]

  /// Throws `Unreadable`.
  init(page: String) throws {
    let blocks = page.split(separator: "```session\n", omittingEmptySubsequences: false).dropFirst()
    exchanges = try blocks.map { block in
      let text = block.prefix { $0 != "`" }
      guard let exchange = Exchange(block: text) else { throw Unreadable(block: String(text)) }
      return exchange
    }
  }

  /// The page in this repository.
  static func ofThePage(file: String = #filePath) throws -> WireSession {
    let root = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try WireSession(
      page: try String(contentsOf: root.appending(path: "Resources/docs/write-another-client.md"), encoding: .utf8))
  }
}

extension WireSession.Exchange {
  fileprivate init?(block: Substring) {
    let parts = block.split(separator: "\n\n").map { $0.split(separator: "\n") }
    let sent = Self.lines(of: parts, ">")
    let received = Self.lines(of: parts, "<")
    guard let start = sent.first?.first?.split(separator: " ", maxSplits: 1), start.count == 2,
      let verb = Verb(rawValue: start[0].lowercased()), let status = received.first?.first.flatMap({ Int($0) })
    else { return nil }
    self.verb = verb
    target = String(start[1])
    requestHeaders = Self.headers(sent)
    requestBody = sent.count > 1 ? sent[1].joined(separator: "\n") : nil
    self.status = status
    headers = Self.headers(received)
    body = received.count > 1 ? received[1].joined(separator: "\n") : ""
  }

  private static func lines(of parts: [[Substring]], _ mark: String) -> [[String]] {
    parts.filter { $0.first?.hasPrefix(mark) == true }.map { $0.map { String($0.dropFirst(mark.count + 1)) } }
  }

  private static func headers(_ parts: [[String]]) -> [(name: String, value: String)] {
    (parts.first?.dropFirst() ?? []).map { line in
      let name = line.prefix { $0 != ":" }
      return (String(name), String(line.dropFirst(name.count + 2)))
    }
  }
}

/// The values that stand for the names of a session, learned from what the server answers.
final class SessionNames {
  private var values: [String: String] = [:]

  /// The text with its names replaced; nil if one was not met yet.
  func filled(_ pattern: String) -> String? {
    var text = ""
    for part in Self.parts(of: pattern) {
      guard let known = part.isName ? values[part.text] : part.text else { return nil }
      text += known
    }
    return text
  }

  /// True if the text is as the pattern has it. A name that was not met yet stands for everything up to the sign
  /// behind it.
  func match(_ text: String, _ pattern: String) -> Bool {
    var rest = text[...]
    let parts = Self.parts(of: pattern)
    for (index, part) in parts.enumerated() {
      guard part.isName, values[part.text] == nil else {
        guard let known = part.isName ? values[part.text] : part.text, rest.hasPrefix(known) else { return false }
        rest = rest.dropFirst(known.count)
        continue
      }
      let end = index + 1 < parts.count ? parts[index + 1].text.first : nil
      let value = rest.prefix { $0 != end }
      guard !value.isEmpty else { return false }
      values[part.text] = String(value)
      rest = rest.dropFirst(value.count)
    }
    return rest.isEmpty
  }

  /// `{word}` is a name; every other brace is text.
  private static func parts(of pattern: String) -> [(text: String, isName: Bool)] {
    var parts: [(text: String, isName: Bool)] = []
    var text = ""
    var rest = pattern[...]
    while let first = rest.first {
      let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber }
      let isName = first == "{" && !name.isEmpty && rest.dropFirst(name.count + 1).first == "}"
      guard isName else {
        text.append(first)
        rest = rest.dropFirst()
        continue
      }
      parts += text.isEmpty ? [] : [(text, false)]
      parts.append((String(name), true))
      text = ""
      rest = rest.dropFirst(name.count + 2)
    }
    return parts + (text.isEmpty ? [] : [(text, false)])
  }
}
