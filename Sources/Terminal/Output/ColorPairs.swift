/// Numbers for the pairs of text and background colour that have been used, as ncurses wants them.
struct ColorPairs {
  /// Two of ncurses' colour numbers, -1 for the default.
  struct Pair: Hashable {
    var text: Int32
    var background: Int32
  }

  private var numbers: [Pair: Int32] = [:]
  /// How many the terminal allows, the default's 0 among them.
  private let limit: Int32

  init(limit: Int32) {
    self.limit = limit
  }

  /// The pair's number, and whether it is new and has to be told to ncurses. The default's when there is no more room.
  mutating func number(of pair: Pair) -> (number: Int32, isNew: Bool) {
    if pair == Pair(text: -1, background: -1) { return (0, false) }
    if let number = numbers[pair] { return (number, false) }
    let number = Int32(numbers.count) + 1
    guard number < limit else { return (0, false) }
    numbers[pair] = number
    return (number, true)
  }

  /// ncurses' number for a colour; -1 for none. A terminal of direct colours (`colors` is then 2 to the 24th) takes
  /// red, green and blue as one number and has only eight of its own; elsewhere it is the number in the palette.
  static func cursesNumber(of color: Style.Color?, depth: ColorDepth, colors: Int) -> Int32 {
    let isDirect = colors >= 1 << 24
    guard let color = color?.shown(in: isDirect ? depth : min(depth, .palette256)) else { return -1 }
    if let index = color.index, isDirect ? index < 8 : true { return index < colors ? Int32(index) : -1 }
    // The eight lowest numbers are the terminal's own: a black with a trace of blue is black.
    let number = Int32(color.red << 16 | color.green << 8 | color.blue)
    return number < 8 ? 0 : number
  }
}
