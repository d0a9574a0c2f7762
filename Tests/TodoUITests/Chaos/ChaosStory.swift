import Chance
import Terminal
import TodoCore

@testable import TodoUI
@testable import Words

/// A person, a cat on the keyboard, another program and a bad line at one list, all drawn from a seed.
struct ChaosStory {
  static let length = 300

  var chance: SeededGenerator
  var desk: Desk
  var words = 0
  /// The texts of the drafts that the store holds.
  var savedDrafts: [String] = []
  /// What the editor held when it was opened; nil while none is open.
  var opened: String?
  /// What was done last, put into words only for the report of a failure.
  private var notes: [() -> String] = []

  init(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    let language = chance.once(in: 4) ? chance.pick(Language.allCases) : .english
    var preferences = Preferences(catalogue: Catalogue.of(language))
    preferences.automatic = chance.pick([
      AutomaticSync(), AutomaticSync(), AutomaticSync(onLaunch: true, onChange: true, minutes: 1),
      AutomaticSync(onChange: true),
    ])
    let items = (0..<chance.pick([0, 1, 3, 20, 90])).map { TodoItem(id: "\($0)", text: "i\($0)") }
    let size = Size.drawn(from: &chance)
    var memory = Memory()
    if chance.once(in: 4) { memory.draft = TodoDraft(target: .new, before: "dra", after: "ft") }
    desk = Desk(
      items: items, columns: size.columns, rows: size.rows, charset: chance.once(in: 5) ? .ascii : .utf8,
      preferences: preferences, memory: memory)
    self.chance = chance
  }

  /// Does something, and says which law it broke.
  mutating func step() -> String? {
    let before = desk
    act()
    let broken = wake()
    for effect in desk.effects {
      if case .note(.drafts(let drafts)) = effect { savedDrafts = drafts.map { $0.before + $0.after } }
      if effect == .change(.takeOverDraft) { savedDrafts += before.memory.draft.map { [$0.before + $0.after] } ?? [] }
    }
    desk.effects = []
    return broken ?? loss(since: before) ?? brokenLaw()
  }

  var steps: [String] { notes.map { $0() } }

  mutating func note(_ step: @autoclosure @escaping () -> String) {
    notes.append(step)
    if notes.count > 12 { notes.removeFirst() }
  }

  /// A word nobody else uses.
  mutating func newWord() -> String {
    words += 1
    return "w\(words)"
  }
}

extension Size {
  static func drawn(from chance: inout SeededGenerator) -> Size {
    switch chance.number(1...10) {
    case ...5: Size(columns: chance.number(20...50), rows: chance.number(5...10))
    case 6, 7: Size(columns: 80, rows: 24)
    case 8: Size(columns: chance.number(1...25), rows: chance.number(1...6))
    default: Size(columns: chance.number(20...120), rows: chance.number(5...30))
    }
  }
}
