package import OfflineSync

extension Catalogue {
  /// Why a refresh could not be finished, what to do, and that nothing is lost.
  package func sentence(for failure: SyncFailure, pending: Int, refresh: String) -> String {
    sentences(reason(failure), waiting(pending, refresh))
  }

  /// Sentences after each other, with a space between them where the language has one.
  package func sentences(_ sentences: String...) -> String {
    sentences.joined(separator: text(.sentenceSeparator))
  }

  private func waiting(_ pending: Int, _ refresh: String) -> String {
    if pending == 0 { return text(.failureNothingWaits, ["refresh": refresh]) }
    return text(.failureChangesWait, count: pending, ["refresh": refresh])
  }
}
