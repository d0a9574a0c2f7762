/// Entries one below the other, one of them chosen.
struct Choice<Element: Equatable & Sendable>: Equatable, Sendable {
  private(set) var elements: [Element]
  private(set) var index = 0
  /// The entry on the first row.
  private(set) var top = 0

  init(_ elements: [Element]) {
    self.elements = elements
  }

  var current: Element? {
    elements.indices.contains(index) ? elements[index] : nil
  }

  /// `height` is how many rows there are for the entries.
  mutating func move(by count: Int, height: Int) {
    move(to: index + count, height: height)
  }

  mutating func move(to index: Int, height: Int) {
    self.index = max(0, min(elements.count - 1, index))
    top = min(top, self.index)
    top = max(top, self.index - max(1, height) + 1)
    top = max(0, min(top, max(0, elements.count - height)))
  }

  /// Stays with the entry that was chosen; when that is gone, the next one takes its place.
  mutating func replace(with elements: [Element], height: Int, isSame: (Element, Element) -> Bool) {
    let current = current
    self.elements = elements
    let place = current.flatMap { current in elements.firstIndex { isSame($0, current) } }
    move(to: place ?? index, height: height)
  }

  /// The entries on so many rows, with their places. They may be fewer rows than there were when it moved last: the
  /// chosen entry is among them all the same.
  func visible(height: Int) -> ArraySlice<(offset: Int, element: Element)> {
    let first = max(top, index - max(1, height) + 1)
    return Array(elements.enumerated()).dropFirst(first).prefix(max(0, height))
  }
}
