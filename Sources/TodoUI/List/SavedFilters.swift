import TodoCore

/// Filters that are kept under the numbers 1 to 9. One of the list itself stands before one of the configuration.
struct SavedFilters: Equatable, Sendable {
  private(set) var byNumber: [Int: String]
  private let configured: [Int: String]

  init(configured: [Int: String]) {
    self.configured = configured
    byNumber = configured
  }

  subscript(number: Int) -> String? { byNumber[number] }

  mutating func recall(_ memory: Memory) {
    for (name, value) in memory.values {
      if case .savedFilter(let number) = name { byNumber[number] = value }
    }
  }

  /// Nil takes away the one that was kept there.
  mutating func keep(_ filter: String?, under number: Int) { byNumber[number] = filter }

  /// The filter of the configuration that the one of this number stands before; nil if there is none.
  func replaced(_ number: Int) -> String? {
    configured[number].flatMap { $0 == byNumber[number] ? nil : $0 }
  }

  /// The number that this filter is kept under in place of one of the configuration, and that one.
  func replacing(_ filter: String) -> (number: Int, configured: String)? {
    guard !filter.isEmpty else { return nil }
    let numbers = byNumber.filter { $0.value == filter }.keys.sorted()
    return numbers.lazy.compactMap { number in self.replaced(number).map { (number, $0) } }.first
  }
}

extension ItemList {
  /// Puts a saved filter in place of what is shown now.
  mutating func useFilter(_ number: Int, _ screen: inout Screen) -> [Effect] {
    guard let filter = saved[number] else { return screen.say(.filter(.noneSaved(number))) }
    if let problem = TodoFilter.problem(in: filter, today: CalendarDay(screen.now.date)) {
      return screen.say(.filter(.problem(problem)))
    }
    screen.clearNotice()
    return show(filter: filter)
  }

  /// Keeps the filter under a number; an empty one takes away what was kept there.
  mutating func saveFilter(_ number: Int, _ screen: inout Screen) -> [Effect] {
    let filter = query.filter.isEmpty ? nil : query.filter
    let old = saved[number]
    saved.keep(filter, under: number)
    guard filter != nil || old != nil else { return screen.say(.filter(.noneSaved(number))) }
    screen.say(
      .filter(filter == nil ? .removed(number, old ?? "") : .saved(number, before: saved.replaced(number))))
    return [.note(.memory(.savedFilter(number), filter))]
  }
}
