import Terminal
import Words

extension ViewContext {
  /// What shows of a line being typed, in a field this wide.
  func fieldText(_ editor: LineEditor, columns: Int) -> String {
    let text = Printable.text(editor.text)
    var shown = TextWidth.slice(text, from: start(editor, columns), columns: columns)
    shown += String(repeating: " ", count: max(0, columns - TextWidth.columns(of: shown)))
    return shown
  }

  /// The column of the cursor in the field.
  func fieldCursor(_ editor: LineEditor, columns: Int) -> Int {
    min(columns - 1, cursorColumn(editor) - start(editor, columns))
  }

  /// The field moves by half its width, so that the text stands still while the cursor crosses half of it.
  private func start(_ editor: LineEditor, _ columns: Int) -> Int {
    let cursor = cursorColumn(editor)
    let step = max(1, columns / 2)
    guard cursor >= columns else { return 0 }
    return (cursor / step - 1) * step
  }

  private func cursorColumn(_ editor: LineEditor) -> Int {
    TextWidth.columns(of: Printable.text(editor.before))
  }
}
