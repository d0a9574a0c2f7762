/// The states of a row, by the numbers that the page of the rules uses.
enum RowState: Int, CaseIterable, Hashable {
  case s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19
  case s20, s21, s22, s23, s24, s25, s26

  init?(_ name: some StringProtocol) {
    guard name.first == "S", let number = Int(name.dropFirst()) else { return nil }
    self.init(rawValue: number)
  }

  var name: String { "S\(rawValue)" }

  var group: Group {
    switch self {
    case .s0, .s1, .s2: .atRest
    case .s3, .s4, .s5, .s6: .waits
    case .s7, .s8, .s9, .s10: .underWay
    case .s11, .s12, .s13, .s14, .s15, .s16, .s17: .changedSince
    case .s18, .s19, .s20, .s21, .s22, .s23, .s24, .s25, .s26: .question
    }
  }

  enum Group: String, CaseIterable {
    case atRest = "At rest"
    case waits = "Waits, and surely has not reached the server"
    case underWay = "Under way: sent, and no answer yet"
    case changedSince = "Under way, and changed again since"
    case question = "A person has to decide, or should know"
  }

  /// The state, what the person sees in the list, and what the outbox lists.
  var words: (title: String, list: String, outbox: String) {
    switch self {
    case .s0: ("never heard of", "nothing", "nothing")
    case .s1: ("in sync", "the item", "nothing")
    case .s2: ("deleted on both sides", "nothing; the history keeps it", "nothing")
    case .s3: ("new here", "the item, ↑", "a new item")
    case .s4: ("edited here", "the item, ↑", "the old and the new text")
    case .s5: ("deleted here", "nothing", "a delete")
    case .s6: ("made live again here", "the item, ↑", "a new item")
    case .s7: ("insert under way", "the item, …", "a new item, no answer yet")
    case .s8: ("update under way", "the item, …", "the old and the new text, no answer yet")
    case .s9: ("delete under way", "nothing", "a delete, no answer yet")
    case .s10: ("revival under way", "the item, …", "a new item, no answer yet")
    case .s11: ("insert under way, then edited", "the newest text, …", "a new item, no answer yet")
    case .s12: ("insert under way, then deleted", "nothing", "a delete, no answer yet")
    case .s13: ("update under way, then edited", "the newest text, …", "one line for both edits")
    case .s14: ("update under way, then deleted", "nothing", "a delete, no answer yet")
    case .s15: ("delete under way, then added again", "the item, …", "an edit, or no difference")
    case .s16: ("revival under way, then edited", "the newest text, …", "a new item, no answer yet")
    case .s17: ("revival under way, then deleted", "nothing", "a delete, no answer yet")
    case .s18: ("edited here and there", "the item, ≠", "edited on the server too")
    case .s19: ("edited here, deleted there", "the item, ≠", "deleted on the server")
    case .s20:
      ("deleted here, edited there", "nothing; the conflict pane lists it", "edited on the server before the delete")
    case .s21: ("insert refused", "the item, !", "the status and the server's words")
    case .s22: ("update refused", "the item, !", "the status and the server's words")
    case .s23: ("delete refused", "nothing; the conflict pane lists it", "the status and the server's words")
    case .s24: ("revival refused", "the item, !", "the status and the server's words")
    case .s25: ("refused, and under way again", "the item, !, or … during a sync", "refused before, sent again")
    case .s26: ("held: the server was put back", "the item, ≠", "newer here than on the server")
    }
  }
}
