import Terminal
package import TodoCore
import Words

/// The details of the chosen item, at the right of a very wide screen. They follow the cursor: data that must be read
/// comes a moment later.
struct SideDetails: Equatable, Sendable {
  /// The item it is about.
  private(set) var item: TodoItem?
  private(set) var contents: SideContents?

  /// A narrower screen belongs to the list and the panel.
  static let fewestColumns = 150

  /// Its columns, with the line at its left; 0 where it has no room.
  static func columns(on screen: Screen) -> Int {
    let columns = screen.size.columns
    return columns < fewestColumns || screen.preferences.isPlain ? 0 : min(64, columns * 3 / 10)
  }

  /// Another row is chosen, or another screen shows it.
  mutating func follow(_ item: TodoItem?, on screen: Screen) -> [Effect] {
    let item = Self.columns(on: screen) > 0 ? item : nil
    guard item != self.item else { return [] }
    self.item = item
    if item?.id != contents?.detail.item.id { contents = nil }
    return item.map { [.read(.side(id: $0.id))] } ?? []
  }

  mutating func accept(_ contents: SideContents) {
    if contents.detail.item.id == item?.id { self.contents = contents }
  }
}

/// The data read of an item for the side of the screen.
package struct SideContents: Equatable, Sendable {
  package var detail: ItemDetail
  /// The newest first.
  package var versions: [ItemVersion]

  package init(detail: ItemDetail, versions: [ItemVersion]) {
    self.detail = detail
    self.versions = versions
  }
}

/// The lines of the details, with the line that parts them from the list.
struct SideDetailsView: View {
  let side: SideDetails
  let hasServer: Bool
  /// As wide as the text of the details.
  let brush: Brush

  func lines(height: Int) -> [Line] {
    let shown = contents
    return (0..<height).map { row in
      var line = Line(glyphs.column, theme.hairline)
      line.append("  ")
      if shown.indices.contains(row) { line.append(cut(shown[row])) }
      return line
    }
  }

  private var contents: [Line] {
    guard let item = side.item else { return [] }
    let title = wrapped(item.line, after: Line(), theme.title)
    guard let contents = side.contents else { return title }
    var detail = contents.detail
    detail.item = item
    let view = DetailView(detail: detail, hasServer: hasServer, brush: brush)
    return title + view.noteLines + [Line()] + view.factLines
      + story(of: item, contents.versions)
  }

  /// When the item became what, the newest first.
  private func story(of item: TodoItem, _ versions: [ItemVersion]) -> [Line] {
    guard versions.count > 1 else { return [] }
    let view = PaneView(pane: .story(item, Choice(versions)), brush: brush)
    let columns = view.timeColumns(of: versions)
    return [Line(), Line(text.hint(.open(.story)), theme.heading)]
      + versions.map { view.line(of: $0, timeColumns: columns) }
  }
}
