/// A key of the terminal's own description, and what the terminal sends for it.
struct DescribedKey: Sendable {
  let sequence: [UInt8]
  let key: Key
}

/// The meaning of sequences: those of the terminal's own description first, then those nearly all terminals send.
struct KeySequences: Sendable {
  /// Those of more than one byte that begin with an Escape: any other byte is a key already. If two are alike the first
  /// counts. A list, since a description has few and a dictionary takes longer to begin with.
  private let described: [DescribedKey]

  init(described: [DescribedKey] = []) {
    self.described = described.filter { $0.sequence.count > 1 && $0.sequence[0] == 0x1B }
  }

  /// Whether the terminal's description names this sequence, given without its Escape.
  func describes(_ bytes: [UInt8]) -> Bool { key(of: bytes) != nil }

  private func key(of bytes: [UInt8]) -> Key? {
    described.first { $0.sequence.dropFirst().elementsEqual(bytes) }?.key
  }

  /// Returns `.unknown` for a sequence that is not known; nil for an event of the mouse that does not count,
  /// such as the release of a button.
  func meaning(of bytes: [UInt8]) -> InputToken? {
    if let key = key(of: bytes) { return .key(key) }
    guard let last = bytes.last, let first = bytes.first else { return .key(.unknown) }
    switch first {
    case UInt8(ascii: "O"): return .key(Self.singleShift[last] ?? .unknown)
    case UInt8(ascii: "["): return Self.control(bytes.dropFirst().dropLast(), last)
    default: return .key(.unknown)
    }
  }

  private static func control(_ parameters: ArraySlice<UInt8>, _ final: UInt8) -> InputToken? {
    switch parameters.first {
    case UInt8(ascii: "<"): return mouse(numbers(parameters.dropFirst()), final)
    case UInt8(ascii: "["): return .key((0x41...0x45).contains(final) ? .function(Int(final) - 0x40) : .unknown)
    default: break
    }
    guard let numbers = numbers(parameters) else { return .key(.unknown) }
    if final == UInt8(ascii: "~") {
      if numbers == [200] { return .pasteBegins }
      return .key(numbers.count == 1 ? tilde[numbers[0]] ?? .unknown : .unknown)
    }
    switch (numbers, modified[final]) {
    case ([], let key?), ([1], let key?), ([1, 1], let key?), ([1, 2], let key?): return .key(key)
    case ([1, 3], .left), ([1, 5], .left), ([5], .left): return .key(.controlLeft)
    case ([1, 3], .right), ([1, 5], .right), ([5], .right): return .key(.controlRight)
    case ([], nil) where final == UInt8(ascii: "I"): return .focus
    case ([], nil) where final == UInt8(ascii: "O"): return .unfocus
    case ([], nil): return .key(final == UInt8(ascii: "Z") ? .backTab : .unknown)
    default: return .key(.unknown)
    }
  }

  /// The mouse's SGR encoding: button and modifiers, column, row; `M` is down, `m` is up.
  private static func mouse(_ numbers: [Int]?, _ final: UInt8) -> InputToken? {
    guard let numbers, numbers.count == 3, final == UInt8(ascii: "M") else { return nil }
    let kinds: [Int: MouseEvent.Kind] = [0: .press, 64: .wheelUp, 65: .wheelDown]
    let modifiers = 4 | 8 | 16
    return kinds[numbers[0] & ~modifiers].map {
      .mouse(MouseEvent($0, column: max(0, numbers[1] - 1), row: max(0, numbers[2] - 1)))
    }
  }

  /// Nil when there is anything but numbers and semicolons, or a number beyond all sense.
  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int]? {
    if bytes.isEmpty { return [] }
    let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.count <= 5 && part.allSatisfy { (0x30...0x39).contains($0) }
        ? part.reduce(0) { $0 * 10 + Int($1) - 0x30 } : nil
    }
    return numbers.count == parts.count ? numbers : nil
  }

  /// The final byte alone or with modifiers before it.
  private static let modified: [UInt8: Key] = [
    0x41: .up, 0x42: .down, 0x43: .right, 0x44: .left, 0x46: .end, 0x48: .home,
    0x50: .function(1), 0x51: .function(2), 0x52: .function(3), 0x53: .function(4),
  ]

  private static let singleShift: [UInt8: Key] = modified.merging(
    [
      UInt8(ascii: "M"): .enter, UInt8(ascii: "c"): .controlRight, UInt8(ascii: "d"): .controlLeft,
    ],
    uniquingKeysWith: { first, _ in first })

  private static let tilde: [Int: Key] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
    18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12),
  ]
}
