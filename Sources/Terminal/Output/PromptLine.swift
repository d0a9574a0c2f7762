/// The one line that a plain terminal shows for editing, rewritten with carriage returns and spaces alone.
struct PromptLine {
  private var shown = ""
  private var cursor = 0

  /// The bytes that show this text with the cursor `cursorColumn` columns from its left edge. Text that does not fit
  /// in `columns` is shown around the cursor. Letters added at the end are sent alone, and so are read out alone.
  mutating func rewrite(_ text: String, cursorColumn: Int, columns: Int) -> String {
    let room = max(1, columns - 1)
    let start = max(0, cursorColumn - room)
    let visible = TextWidth.slice(text, from: start, columns: room)
    let width = TextWidth.columns(of: visible)
    let place = min(max(0, cursorColumn - start), width)
    defer { (shown, cursor) = (visible, place) }
    if visible == shown && place == cursor { return "" }
    let wasAtEnd = cursor == TextWidth.columns(of: shown)
    if place == width && wasAtEnd && visible.hasPrefix(shown) { return String(visible.dropFirst(shown.count)) }
    let whole = visible == shown ? "" : clear() + visible
    return place == width && !whole.isEmpty ? whole : whole + "\r" + TextWidth.prefix(visible, columns: place)
  }

  /// The bytes that leave the line empty, with the cursor at its beginning.
  mutating func clear() -> String {
    defer { self = PromptLine() }
    let columns = TextWidth.columns(of: shown)
    return columns == 0 ? "" : "\r" + String(repeating: " ", count: columns) + "\r"
  }
}
