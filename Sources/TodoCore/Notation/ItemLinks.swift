/// The addresses in the text of an item that can be opened: `http`, `https` and `mailto`.
package enum ItemLinks {
  private static let schemes = ["https://", "http://", "mailto:"]

  /// Each once, in the order of the text. Without what stands round an address in a sentence: brackets, quotes, a full
  /// stop behind it. One with characters that are not seen, or that turn the direction of writing round, is none: what
  /// opens must be what is read.
  package static func found(in text: String) -> [String] {
    var seen: Set<String> = []
    return text.split(whereSeparator: \.isWhitespace).compactMap { link(in: $0) }.filter { seen.insert($0).inserted }
  }

  private static func link(in word: Substring) -> String? {
    let lower = word.lowercased()
    let starts = schemes.compactMap { scheme in lower.firstRange(of: scheme).map { ($0.lowerBound, scheme.count) } }
    guard let (start, schemeLength) = starts.min(by: { $0.0 < $1.0 }) else { return nil }
    let offset = lower.distance(from: lower.startIndex, to: start)
    guard offset + schemeLength < word.count else { return nil }
    let link = trimmed(word.dropFirst(offset).prefix { !"<>\"`{}|\\^".contains($0) })
    guard link.count > schemeLength, link.unicodeScalars.allSatisfy(isSeen) else { return nil }
    return String(link)
  }

  /// A closing bracket belongs to the address only if its opening one does.
  private static func trimmed(_ link: Substring) -> Substring {
    var link = link
    while let last = link.last {
      let isBracket = last == ")" || last == "]"
      let opening: Character = last == ")" ? "(" : "["
      if isBracket, link.count(where: { $0 == opening }) >= link.count(where: { $0 == last }) { break }
      guard isBracket || ".,;:!?'»”’。、".contains(last) else { break }
      link.removeLast()
    }
    return link
  }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    !unseen.contains(scalar.properties.generalCategory)
  }

  private static let unseen: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned,
  ]
}
