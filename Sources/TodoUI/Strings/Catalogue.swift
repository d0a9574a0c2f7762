/// The texts of the interface in one language, read from a `"key" = "text";` file.
package struct Catalogue: Sendable, Equatable {
  let texts: [String: String]

  /// Throws the number of the first line that is neither a text, a comment, nor empty.
  package init(parsing source: String) throws(CatalogueError) {
    var texts: [String: String] = [:]
    var inComment = false
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = Self.trimmed(line)
      if inComment || line.hasPrefix("/*") {
        inComment = !line.hasSuffix("*/")
      } else if !line.isEmpty && !line.hasPrefix("//") {
        guard let (key, text) = Self.entry(line) else { throw CatalogueError(line: index + 1) }
        texts[key] = text
      }
    }
    self.texts = texts
  }

  private init(texts: [String: String]) {
    self.texts = texts
  }

  /// The English that is built into the program. A test holds that it parses and that it is complete.
  package static let english: Catalogue = {
    let source = String(decoding: PackageResources.en_strings, as: UTF8.self)
    return (try? Catalogue(parsing: source)) ?? Catalogue(texts: [:])
  }()

  /// The text with its placeholders filled in; the key's name when this language lacks it.
  package func text(_ key: StringKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(texts[key.rawValue] ?? key.rawValue, values)
  }

  /// The form for this number. `{count}` stands for it.
  package func text(_ key: PluralKey, count: Int, _ values: KeyValuePairs<String, String> = [:]) -> String {
    let one = count == 1 ? texts[key.rawValue + ".one"] : nil
    let form = one ?? texts[key.rawValue + ".other"] ?? key.rawValue
    return Self.fill(Self.fill(form, ["count": String(count)]), values)
  }

  /// One pass over the text, so that braces in what is filled in stay what they are.
  private static func fill(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
    guard !values.isEmpty else { return text }
    var result = ""
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = rest[rest.index(after: open)..<close]
      result += rest[..<open]
      result += values.first { $0.key == name }?.value ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// `"key" = "text";` with `\"`, `\\` and `\n` inside the quotes.
  private static func entry(_ line: Substring) -> (String, String)? {
    guard line.hasPrefix("\""), line.hasSuffix("\";") else { return nil }
    let parts = line.dropFirst().dropLast(2).split(separator: "\" = \"", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return (String(parts[0]), unescaped(parts[1]))
  }

  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var rest = text
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        result.append(character)
        continue
      }
      result.append(next == "n" ? "\n" : next)
    }
    return result
  }

  private static func trimmed(_ line: Substring) -> Substring {
    var line = line.drop(while: \.isWhitespace)
    while line.last?.isWhitespace == true { line.removeLast() }
    return line
  }
}

package struct CatalogueError: Error, Equatable, Sendable {
  /// Counted from 1.
  package let line: Int
}
