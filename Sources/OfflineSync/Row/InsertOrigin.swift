import TableProtocol

/// The state that a copy was made from which an insert meets after it may have arrived (sync-rules row-4.2, rule 2).
///
/// No other device knows the id of a new row, so the copy comes from an insert of this device. It need not be the one
/// under way. A device that was put back from a backup does not remember what it sent since, and a copy of its store
/// may have sent the row too (D27). The earlier values of the row here tell the two apart.
enum InsertOrigin: Hashable {
  /// The insert under way arrived. Others changed the row since (Q5).
  case sent
  /// An earlier state of the row arrived.
  case earlier(Columns)
  /// It may be either, since they differ in columns that have no words: a person decides.
  case unclear
}

extension TrackedRow {
  /// Returns the origin of the server's copy, which is live or deleted. Nil if no insert is under way, or if the server
  /// shows no copy.
  func origin(of copy: ServerSide) -> InsertOrigin? {
    guard base == .never, let want = underWay?.want, let record = copy.record else { return nil }
    let shown = record.values
    if shown.isEmpty || want.look(like: shown) { return .sent }
    let isUntouched = record.system.updatedAt == record.system.createdAt && copy.isLive
    if isUntouched, let state = earlier.last(where: { $0.look(like: shown) }) { return .earlier(state) }
    let origin = InsertOrigin.of(shown, sent: want, earlier: earlier)
    // A deletion of what is perhaps not mine is asked about.
    return origin == .unclear && !copy.isLive ? earlier.first.map(InsertOrigin.earlier) : origin
  }
}

extension InsertOrigin {
  /// Compares the words of the states two at a time. A word in the copy that only one of the two states has shows that
  /// the copy was made from that state: nobody else can have written the word. Without such a word, the copy was made
  /// from the state that lacks the same words as the copy does. If that is true of both, the earlier state is taken as
  /// the base, and a person is asked about what does not fit.
  ///
  /// - Parameter earlier: The states of the row before `sent`, oldest first.
  static func of(_ copy: Columns, sent: Columns, earlier: [Columns]) -> InsertOrigin {
    let earlier = earlier.filter { $0 != sent }
    if earlier.allSatisfy({ sent.addsWords(to: $0, in: copy) }) { return .sent }
    if let shown = earlier.last(where: { $0.addsWords(to: sent, in: copy) }) { return .earlier(shown) }
    var origin = InsertOrigin.sent
    for state in earlier.reversed() {
      switch (sent.addsWords(to: state, in: sent), state.addsWords(to: sent, in: state)) {
      case (true, _) where sent.addsWords(to: state, in: copy), (false, true): continue
      case (true, false): return .earlier(state)
      case (true, true): origin = .earlier(state)
      case (false, false): if origin == .sent, sent.differs(from: state, where: copy) { origin = .unclear }
      }
    }
    return origin
  }
}

extension Columns {
  /// True if the copy has words in a column that these columns have there, and `old` has not.
  fileprivate func addsWords(to old: Columns, in copy: Columns) -> Bool {
    contains { name, value in
      guard let new = value.text, let text = copy[name]?.text else { return false }
      return TextMerge.sharesNewWord(of: new, since: old[name]?.text ?? "", with: text)
    }
  }

  /// True if these columns have words that the others lack in the same column.
  func hasWords(beyond others: Columns) -> Bool { addsWords(to: others, in: self) }

  /// True if both others look different from these in the same column.
  fileprivate func differs(from old: Columns, where copy: Columns) -> Bool {
    contains { name, value in
      !value.looks(like: old[name] ?? .null) && copy[name].map { !$0.looks(like: value) } ?? false
    }
  }
}
