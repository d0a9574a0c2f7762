/// Whether bytes are the rest of a sequence that lost its Escape, because a slow line cut the two apart.
///
/// It is asked only right after a lone Escape. A person who types the same characters sends them one by one.
enum EscapeTail {
  /// Whether a whole sequence but for its Escape stands at the beginning.
  static func begins(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 1, let introducer = bytes.first, var sequence = EscapeSequence(introducer: introducer) else {
      return false
    }
    for byte in bytes.dropFirst() {
      switch sequence.append(byte) {
      case .goesOn: continue
      case .ends: return true
      case .breaks, .restarts, .followsEscape: return false
      }
    }
    return false
  }
}
