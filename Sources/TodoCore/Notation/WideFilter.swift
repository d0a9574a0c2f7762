/// Reads a filter with the signs of East Asian keyboards as one with those of ASCII: `＋店`, `！牛乳`, `（Ａ）`,
/// `（＋仕事 ｜ ＠家）`, `＂牛乳＂`. Each character keeps its place.
///
/// Only what is a sign in its place changes. In quotes, behind a `'` and inside of words the characters are text.
struct WideFilter {
  private var result: [Character]
  /// The sign that the phrase around this place began with.
  private var quote: Character?
  /// The word here begins with `'`.
  private var isLiteral = false
  /// The groups around this place, and the parentheses that were opened inside of the word.
  private var groups = 0
  private var inner = 0

  private init(_ filter: [Character]) { result = filter }

  static func narrowed(_ filter: [Character]) -> [Character] {
    var signs = WideFilter(filter)
    for place in filter.indices { signs.read(place) }
    return signs.result
  }

  private mutating func read(_ place: Int) {
    let character = result[place]
    if let quote { return readPhrase(place, begunWith: quote) }
    if character.isWhitespace { (isLiteral, inner) = (false, 0) }
    let begins = !isLiteral && isBeginning(place)
    switch character {
    case "\"" where begins || followsColon(place), "＂" where begins || followsColon(place):
      result[place] = "\""
      quote = character
    case "'" where begins: isLiteral = true
    case "(", "（": open(place, begins: begins)
    case ")", "）": close(place)
    case "|" where !isLiteral, "｜" where !isLiteral:
      result[place] = "|"
      inner = 0
    case "！" where begins: result[place] = "!"
    default:
      guard begins, let sign = WideSigns.sign(character), place + 1 < result.count else { return }
      if WideSigns.isLetter(result[place + 1]) { result[place] = sign }
    }
  }

  private mutating func readPhrase(_ place: Int, begunWith sign: Character) {
    guard result[place] == "\"" || result[place] == sign else { return }
    result[place] = "\""
    quote = nil
  }

  private mutating func open(_ place: Int, begins: Bool) {
    if begins, let priority = priority(at: place) {
      result.replaceSubrange(place..<place + priority.count, with: priority)
      inner += 1
    } else if begins {
      result[place] = "("
      groups += 1
    } else {
      inner += 1
    }
  }

  private mutating func close(_ place: Int) {
    if inner > 0 {
      inner -= 1
    } else if groups > 0 {
      result[place] = ")"
      groups -= 1
    }
  }

  /// A word or a group may begin there.
  private func isBeginning(_ place: Int) -> Bool {
    place == 0 || result[place - 1].isWhitespace || "(|!".contains(result[place - 1])
  }

  private func followsColon(_ place: Int) -> Bool { !isLiteral && place > 0 && result[place - 1].isColon }

  /// `(A)` for `（Ａ）`, or for a form that is wide in part, if that is a word of its own here; nil for any other.
  private func priority(at place: Int) -> [Character]? {
    let word = Array(DueWords.narrow(String(result[place...].prefix(3))))
    guard place + 3 <= result.count, word.count == 3, word[0] == "(", word[2] == ")", word[1].isASCII, word[1].isLetter
    else { return nil }
    let next = result[(place + 3)...].first
    return next.map { $0.isWhitespace || "|)｜）".contains($0) } ?? true ? word : nil
  }
}
