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
  /// A word or a group may begin at the next place.
  private var begins = true
  /// Where the word here began.
  private var start = 0
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
    let isBeginning = begins
    begins = false
    if isBeginning { (isLiteral, inner, start) = (false, 0, place) }
    switch character {
    case _ where character.isWhitespace: (begins, isLiteral) = (true, false)
    case "\"" where isBeginning || followsKey(place), "＂" where isBeginning || followsKey(place):
      result[place] = "\""
      quote = character
    case "'" where isBeginning: isLiteral = true
    case "(", "（": open(place, isBeginning)
    case ")", "）": close(place)
    case "|" where !isLiteral, "｜" where !isLiteral && (isBeginning || standsBeforeSign(place)):
      result[place] = "|"
      begins = true
    case "!" where isBeginning, "！" where isBeginning:
      result[place] = "!"
      begins = true
    default:
      guard isBeginning, let sign = WideSigns.sign(character), place + 1 < result.count else { return }
      if WideSigns.isLetter(result[place + 1]) { result[place] = sign }
    }
  }

  private mutating func readPhrase(_ place: Int, begunWith sign: Character) {
    guard result[place] == "\"" || result[place] == sign else { return }
    result[place] = "\""
    (quote, begins) = (nil, true)
  }

  private mutating func open(_ place: Int, _ isBeginning: Bool) {
    if isBeginning, let priority = priority(at: place) {
      result.replaceSubrange(place..<place + priority.count, with: priority)
      inner += 1
    } else if isBeginning {
      result[place] = "("
      groups += 1
      begins = true
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
      (begins, isLiteral) = (true, false)
    }
  }

  /// A wide bar inside of a title is a part of it: `見積書｜A社`.
  private func standsBeforeSign(_ place: Int) -> Bool {
    place + 1 < result.count && (result[place + 1].isWhitespace || "＋＠！（）＂+@!()\"".contains(result[place + 1]))
  }

  /// The value of a key begins there.
  private func followsKey(_ place: Int) -> Bool {
    guard !isLiteral, place > start, result[place - 1].isColon else { return false }
    return TodoFilterParser.isKey(String(result[start..<place - 1]))
  }

  /// `(A)` for `（Ａ）`, or for a form that is wide in part, if that is a word of its own here; nil for any other.
  private func priority(at place: Int) -> [Character]? {
    let word = Array(DueWords.narrow(String(result[place...].prefix(3))))
    guard place + 3 <= result.count, word.count == 3, word[0] == "(", word[2] == ")", word[1].isASCII, word[1].isLetter
    else { return nil }
    let next = result[(place + 3)...].first
    return next.map { $0.isWhitespace || "|)｜）".contains($0) } ?? true ? word : nil
  }
}
