import Support
import TableProtocol

extension FakeServer {
  /// Puts `count` items: item100 with the text "0", item101 with the text "1", and so on.
  func putItems(_ count: Int) {
    for number in 0..<count { put("item\(100 + number)", ["text": .text("\(number)")]) }
  }
}
