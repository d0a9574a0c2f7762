import Terminal
package import TodoCore

/// The panel at the left of a wide screen: what is due when, projects, contexts and saved filters, each with how many
/// open items it has. Choosing one filters the list.
struct Panel: Equatable, Sendable {
  /// It is wanted; it shows where there is room.
  private(set) var isOn = true
  /// The keys are for it.
  private(set) var isEntered = false
  private(set) var index = 0
  private(set) var contents = PanelContents()

  /// A narrower screen belongs to the list.
  static let fewestColumns = 110
  /// From here on there is room for longer names.
  private static let wideColumns = 180

  /// Its columns, with the line at its right.
  static func columns(on screen: Screen) -> Int { screen.size.columns < wideColumns ? 24 : 32 }

  /// In plain mode there is nothing beside the list.
  func isShown(on screen: Screen) -> Bool { isOn && Self.hasRoom(on: screen) }

  static func hasRoom(on screen: Screen) -> Bool {
    screen.size.columns >= fewestColumns && !screen.preferences.isPlain
  }

  /// Something that can be chosen.
  enum Entry: Equatable, Sendable {
    case group(TodoGroup, count: Int)
    case word(WordCount)
    case saved(Int, String, count: Int?)

    /// The filter text that shows the items of this entry.
    var filter: String {
      switch self {
      case .group(.overdue, _): "due:overdue"
      case .group(.today, _): "due:today"
      case .group(.sevenDays, _): "due:tomorrow..6d"
      case .group(.later, _), .group(.undated, _), .group(.priority, _), .group(.project, _), .group(.day, _): ""
      case .word(let word): "'" + word.word
      case .saved(_, let filter, _): filter
      }
    }
  }

  /// The entries in their parts; a part without entries is none.
  func parts(savedFilters: [Int: String]) -> [[Entry]] {
    // As the headings of the agenda: an item is in one of them.
    let groups = [TodoGroup.today, .overdue, .sevenDays].map { Entry.group($0, count: contents.groups[$0] ?? 0) }
    let saved = savedFilters.sorted { $0.key < $1.key }.map { number, filter in
      Entry.saved(number, filter, count: contents.filters[filter])
    }
    let words = contents.words.map(Entry.word)
    return [groups, words.filter { $0.filter.hasPrefix("'+") }, words.filter { $0.filter.hasPrefix("'@") }, saved]
      .filter { !$0.isEmpty }
  }

  func entries(savedFilters: [Int: String]) -> [Entry] { parts(savedFilters: savedFilters).flatMap(\.self) }
}

// MARK: Changes

extension Panel {
  mutating func enter() { isEntered = true }
  mutating func leave() { isEntered = false }

  mutating func toggle() -> [Effect] {
    isOn.toggle()
    isEntered = false
    return [.note(.memory(.panel, isOn ? nil : Self.off))]
  }

  mutating func recall(_ memory: Memory) {
    if memory.values[.panel] == Self.off { isOn = false }
  }

  /// As it is remembered.
  private static let off = "off"

  mutating func move(_ step: Step, savedFilters: [Int: String]) {
    index = step.applied(to: index, last: entries(savedFilters: savedFilters).count - 1)
  }

  mutating func choose(_ index: Int) { self.index = index }

  mutating func accept(_ contents: PanelContents, savedFilters: [Int: String]) {
    let entry = current(savedFilters: savedFilters)
    self.contents = contents
    let entries = entries(savedFilters: savedFilters)
    let place = entries.firstIndex { $0.filter == entry?.filter }
    index = place ?? max(0, min(index, entries.count - 1))
  }

  func current(savedFilters: [Int: String]) -> Entry? {
    let entries = entries(savedFilters: savedFilters)
    return entries.indices.contains(index) ? entries[index] : nil
  }
}

/// The counts of the panel, of the open items. They are read away from the main thread.
package struct PanelContents: Equatable, Sendable {
  package var groups: [TodoGroup: Int]
  /// Projects, then contexts.
  package var words: [WordCount]
  /// By filter; none for one that is not understood.
  package var filters: [String: Int]

  package init(groups: [TodoGroup: Int] = [:], words: [WordCount] = [], filters: [String: Int] = [:]) {
    self.groups = groups
    self.words = words
    self.filters = filters
  }
}
