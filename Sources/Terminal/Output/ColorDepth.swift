/// How many colours a terminal can show.
package enum ColorDepth: Int, Sendable, Hashable, Comparable, CaseIterable {
  case none, eight, sixteen
  /// The sixteen, a cube of 216 and 24 greys, as xterm has them.
  case palette256
  /// Any colour of 24 bits.
  case trueColor

  package static func < (first: ColorDepth, second: ColorDepth) -> Bool {
    first.rawValue < second.rawValue
  }

  /// What the surroundings say. `NO_COLOR` set and not empty means none (https://no-color.org); `COLORTERM` tells of
  /// true colour, for which most descriptions of terminals have no word; otherwise the description counts.
  static func found(described colors: Int, environment: (String) -> String?) -> ColorDepth {
    if let setting = environment("NO_COLOR"), !setting.isEmpty { return .none }
    if colors < 8 { return .none }
    if ["truecolor", "24bit"].contains(environment("COLORTERM")) || colors >= 1 << 24 { return .trueColor }
    return colors < 16 ? .eight : colors < 256 ? .sixteen : .palette256
  }
}
