import TableProtocol

/// A text that equals only the same code points (sync-rules Q25).
///
/// Swift's own comparison takes an accented letter and its two parts for one.
package struct ExactText: Sendable, Hashable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.isExactly(right.text)
  }

  package func hash(into hasher: inout Hasher) {
    text.hashExactly(into: &hasher)
  }
}

extension ExactText {
  init(_ text: Substring) { self.init(String(text)) }
}
