import Chance

@testable import OfflineSync

/// Makes texts of few different words, so that words are moved, doubled and taken back by chance.
struct RandomTexts {
  private var chance: SeededGenerator

  init(seed: UInt64) { chance = SeededGenerator(seed: seed) }

  private static let words = [
    "a", "b", "c", "d", "e", "f", "g", "the", "milk", "買", "牛奶", "👩‍👩‍👧", "👍🏽", "\u{E9}", "e\u{301}", "+shop", "(A)",
    "(B)", "due:1", "due:2", "t:1",
  ]
  private static let tags = ["+shop", "+b", "@phone"]
  private static let gaps = [" ", " ", " ", " ", " ", " ", " ", " ", "  ", "\t"]
  private static let noteLines = ["a", "b", "c", "d e", "d  e", "e\u{301}", "買 牛奶", "👍🏽", "", " "]

  /// A text, and two that were made of it by up to three changes each. Some changes are common to both.
  mutating func triple() -> ThreeWay<String> {
    var draft = Draft(line: (0..<number(upTo: 9)).map { _ in word() }, end: "", note: [])
    if number(upTo: 3) == 0 { draft.note = (0..<number(upTo: 6)).map { _ in noteLine() } }
    if number(upTo: 30) == 0 { draft.end = " " }
    let common = number(upTo: 4) == 0 ? changed(draft) : draft
    let (mine, theirs) = (changed(common), changed(common))
    return ThreeWay(base: draft, mine: mine, theirs: theirs).map(\.text)
  }

  private mutating func changed(_ draft: Draft) -> Draft {
    var draft = draft
    if number(upTo: 6) == 0 { draft.line.append(Draft.Word(gap: " ", text: one(of: Self.tags))) }
    for _ in 0..<number(upTo: 4) {
      if number(upTo: 3) == 0 && (!draft.note.isEmpty || number(upTo: 4) == 0) {
        change(&draft.note, to: noteLine())
      } else if let place = draft.line.indices.randomElement(using: &chance), number(upTo: 6) == 0 {
        draft.line[place].gap = one(of: Self.gaps)
      } else {
        change(&draft.line, to: word())
      }
    }
    return draft
  }

  /// Adds, replaces, removes or moves one element.
  private mutating func change<Element>(_ elements: inout [Element], to element: Element) {
    guard let place = elements.indices.randomElement(using: &chance) else { return elements.append(element) }
    switch number(upTo: 4) {
    case 0: elements.insert(element, at: number(upTo: elements.count + 1))
    case 1: elements[place] = element
    case 2: elements.remove(at: place)
    default:
      let moved = elements.remove(at: place)
      elements.insert(moved, at: number(upTo: elements.count + 1))
    }
  }

  private mutating func word() -> Draft.Word { Draft.Word(gap: one(of: Self.gaps), text: one(of: Self.words)) }
  private mutating func noteLine() -> String { one(of: Self.noteLines) }
  private mutating func one(of texts: [String]) -> String { texts[number(upTo: texts.count)] }
  private mutating func number(upTo end: Int) -> Int { Int.random(in: 0..<end, using: &chance) }
}

/// The parts of a text while it is made.
private struct Draft {
  /// Words with the white space before them.
  var line: [Word]
  var end: String
  var note: [String]

  struct Word {
    var gap: String
    let text: String
  }

  var text: String {
    let words = line.enumerated().map { $0 == 0 && $1.gap == " " ? $1.text : $1.gap + $1.text }
    return ([words.joined() + end] + note).joined(separator: "\n")
  }
}
