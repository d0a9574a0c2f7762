/// Finds the words of a line that are a command to copy, as `ebb sync --account same` in a sentence. They are `ebb` and
/// the two words after it, its options with a word each, and the rest of a word that begins with a quote. An option
/// without `ebb` keeps its word too.
///
/// A sentence does not say where a command in it ends, so a word or two of the sentence may count as its words. A wide
/// character ends it, and so does a sign that ends a clause.
struct CommandWords {
  /// True if the last piece belongs to a command that may go on.
  private var goesOn = false
  /// How many words that are no options may follow.
  private var room = 0
  /// The quote that is open in the command.
  private var quote: Character?

  /// True if the next piece belongs to an argument in quotes that has begun.
  var hasOpenQuote: Bool { quote != nil }

  /// True if the piece belongs to the command that the pieces before it are part of. Expects all pieces of a line in
  /// their order.
  mutating func includes(_ piece: String, followsSpace: Bool) -> Bool {
    let isOption = Self.isOption(piece)
    let isIncluded = quote != nil || (goesOn && followsSpace && (isOption || (room > 0 && !Self.isWide(piece))))
    let isName = !isIncluded && piece.drop { !$0.isLetter } == "ebb"
    if isOption {
      room = 1
    } else if isIncluded {
      room = max(0, room - 1)
    } else {
      room = isName ? 2 : 0
    }
    if isIncluded { readQuotes(in: piece) }
    goesOn = (isIncluded || isName || isOption) && (quote != nil || !Self.endsClause(piece))
    return isIncluded
  }

  private mutating func readQuotes(in piece: String) {
    guard let sign = quote ?? piece.first, sign == "\"" || sign == "'" else { return }
    guard !piece.count(where: { $0 == sign }).isMultiple(of: 2) else { return }
    quote = quote == nil ? sign : nil
  }

  /// `-n`, `--full` or `--`. A dash alone is a sign of the sentence.
  private static func isOption(_ piece: String) -> Bool {
    guard piece.first == "-", let second = piece.dropFirst().first else { return false }
    return second == "-" || (second.isASCII && second.isLetter)
  }

  private static func isWide(_ piece: String) -> Bool {
    piece.first.map { TextWidth.columns(of: $0) == 2 } ?? false
  }

  private static func endsClause(_ piece: String) -> Bool {
    piece.last.map { clauseEnds.contains($0) } ?? false
  }

  private static let clauseEnds: Set<Character> = Set(",.;:!?)、。，．；：！？）」")
}
