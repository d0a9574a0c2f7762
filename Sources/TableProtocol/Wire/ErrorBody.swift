import FoundationEssentials

/// The body of a refusal (wire 9).
package enum ErrorBody {
  /// The longest message taken from another server, in characters: it is shown in one line.
  package static let longestMessage = 300
  /// Bodies above this size, in bytes, are not searched for a message.
  static let largestBody = 65_536

  /// Our form, which holds the keys every known client looks for.
  package static func bytes(title: String, detail: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.raw("{")
    writer.member("error", isFirst: true)
    writer.string(detail)
    writer.member("title")
    writer.string(title)
    writer.member("detail")
    writer.string(detail)
    writer.raw("}")
    return writer.bytes
  }

  /// The message in a body of any of the known forms: an object with `error`, `message`, `detail`,
  /// `title` or `description`, an array of validation results, a JSON string, or plain text. Control
  /// characters become spaces and the length is capped. Nil for nothing, for HTML and for binary.
  package static func message(in body: some Collection<UInt8>) -> String? {
    guard !body.isEmpty, body.count <= largestBody else { return nil }
    let data = Data(body)
    if let form = try? JSONDecoder().decode(Form.self, from: data) { return form.message.flatMap(line) }
    guard let text = String(data: data, encoding: .utf8), !text.hasPrefix("{"), !text.hasPrefix("["),
      !text.drop(while: \.isWhitespace).hasPrefix("<")
    else { return nil }
    return line(text)
  }

  private static func line(_ text: String) -> String? {
    var line = ""
    for character in text.prefix(longestMessage * 2) {
      let isSpace =
        character.isWhitespace || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      if !isSpace {
        line.append(character)
      } else if !line.isEmpty, line.last != " " {
        line.append(" ")
      }
    }
    let trimmed = line.trimmingSpaces.prefix(longestMessage)
    return trimmed.isEmpty ? nil : String(trimmed)
  }

  /// A body as far as it matters here.
  private struct Form: Decodable {
    var message: String?

    init(from decoder: any Decoder) throws {
      let single = try decoder.singleValueContainer()
      if let text = try? single.decode(String.self) {
        message = text
      } else if let results = try? single.decode([Form].self) {
        message = results.compactMap(\.message).first
      } else {
        let members = try decoder.container(keyedBy: MemberName.self)
        message =
          ["error", "message", "detail", "title", "description", "errorMessage"]
          .lazy.compactMap { Self.text(of: $0, in: members) }.first
      }
    }

    /// The member's text, or the message of an object there (`{"error":{"message":…}}`).
    private static func text(of name: String, in members: KeyedDecodingContainer<MemberName>) -> String? {
      let key = MemberName(name)
      if let text = try? members.decode(String.self, forKey: key) { return text.isEmpty ? nil : text }
      return (try? members.nestedContainer(keyedBy: MemberName.self, forKey: key))
        .flatMap { try? $0.decode(String.self, forKey: MemberName("message")) }
    }
  }
}

/// The name of any member of an object.
private struct MemberName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
