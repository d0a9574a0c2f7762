/// xterm's palette of 256 colours. The first sixteen are what it shows when the user has not chosen others.
enum Palette {
  static func components(_ index: Int) -> (Int, Int, Int) {
    switch index {
    case ..<16: return sixteen[max(0, index)]
    case 16..<232:
      let place = index - 16
      return (levels[place / 36], levels[place / 6 % 6], levels[place % 6])
    default:
      let grey = 8 + 10 * (min(index, 255) - 232)
      return (grey, grey, grey)
    }
  }

  /// The entry with the least distance, red and blue counting for less than green, as eyes have it.
  static func nearest(to red: Int, _ green: Int, _ blue: Int, among indices: Range<Int>) -> Style.Color {
    func distance(_ index: Int) -> Int {
      let other = components(index)
      let (reds, greens, blues) = (other.0 - red, other.1 - green, other.2 - blue)
      return 3 * reds * reds + 6 * greens * greens + blues * blues
    }
    let index = indices.min { distance($0) < distance($1) } ?? 0
    return index < 16 ? Style.Color.sixteen[index] : .indexed(UInt8(index))
  }

  private static let levels = [0, 95, 135, 175, 215, 255]

  private static let sixteen = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ]
}
