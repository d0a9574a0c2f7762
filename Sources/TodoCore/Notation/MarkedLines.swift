/// Lines that an import takes one for one, those that are marked as done as done items. By this rule lines that were
/// added as open are sent to an import, or are not.
///
///     Shopping          An import of all three leaves out the first and the last.
///     - [x] milk
///     plain line
package enum MarkedLines: Sendable, Hashable {
  /// Each line has a box, ticked or not.
  case checkList
  /// Done lines begin with `x`, and no line has a box.
  case todoTxt

  /// Nil for lines of which an import would leave some out, or would keep the marks as text, and for lines without such
  /// marks.
  package init?(_ lines: [String]) {
    let marks = lines.map { CheckListMark(Substring($0).splitIndent.text) }
    let isCheckList = marks.allSatisfy { $0.map { !$0.text.isEmpty } ?? false }
    let done = lines.filter { TodoNotation.looksDone($0) }
    if isCheckList, marks.contains(where: { $0?.complete == true }) {
      self = .checkList
    } else if !done.isEmpty, marks.allSatisfy({ $0 == nil }), done.allSatisfy({ $0.hasPrefix("x ") }) {
      self = .todoTxt
    } else {
      return nil
    }
  }
}
