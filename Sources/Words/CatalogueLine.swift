/// One line of a `.strings` file, as bytes of UTF-8, without the white space around it.
struct CatalogueLine {
  private let bytes: Substring.UTF8View

  init(_ line: Substring.UTF8View) {
    var line = line
    while let first = line.first, Self.isSpace(first) { line.removeFirst() }
    while let last = line.last, Self.isSpace(last) { line.removeLast() }
    bytes = line
  }

  /// Nothing, or a comment to the end of the line.
  var isBlank: Bool { bytes.isEmpty || bytes.starts(with: "//".utf8) }
  var startsComment: Bool { bytes.starts(with: "/*".utf8) }
  var endsComment: Bool { bytes.count >= 2 && bytes.suffix(2).elementsEqual("*/".utf8) }

  /// `"key" = "text";` with `\"`, `\\` and `\n` inside the quotes; nil for anything else.
  var entry: (key: String, text: String)? {
    guard bytes.first == Self.quote, bytes.suffix(2).elementsEqual("\";".utf8) else { return nil }
    let inner = bytes.dropFirst().dropLast(2)
    guard let end = inner.firstIndex(of: Self.quote) else { return nil }
    let rest = inner[end...]
    guard rest.starts(with: "\" = \"".utf8) else { return nil }
    return (String(Substring(inner[..<end])), Self.unescaped(rest.dropFirst(5)))
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private static func unescaped(_ text: Substring.UTF8View) -> String {
    guard text.contains(backslash) else { return String(Substring(text)) }
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == backslash, let next = rest.popFirst() {
        result.append(next == UInt8(ascii: "n") ? UInt8(ascii: "\n") : next)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
