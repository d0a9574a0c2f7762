/// What becomes of the journal when a record that has a pending operation is changed again.
package enum Condense: Sendable, Hashable {
  /// The new change gets an entry of its own.
  case append
  /// The pending operation stands for both; its place in the journal stays.
  case keep
  /// The pending operation becomes one of this kind, in its place.
  case become(TableOperation.Kind)
  /// The two cancel each other out: nothing is left to send.
  case dropBoth
  /// The change makes no sense after the pending one.
  case refuse

  /// The table of offline-sync 4.1, with its better rules: a delete that was not sent yet can be
  /// taken back (Q16), and deleting twice is no error.
  ///
  /// `frozen` means that the server may already have acted on the pending operation, so that it can
  /// no longer be changed and what follows must queue behind it (Q10).
  package static func action(
    pending: TableOperation.Kind?, frozen: Bool, new: TableOperation.Kind
  ) -> Condense {
    guard let pending else { return .append }
    switch (pending, new) {
    case (.insert, .insert), (.update, .insert), (.delete, .update): return .refuse
    case (.delete, .delete): return .keep
    case (.insert, .update), (.update, .update): return frozen ? .append : .keep
    case (.insert, .delete): return frozen ? .append : .dropBoth
    case (.update, .delete): return frozen ? .append : .become(.delete)
    case (.delete, .insert): return frozen ? .append : .become(.update)
    }
  }
}
