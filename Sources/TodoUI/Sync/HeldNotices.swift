import OfflineSync
import TodoCore

/// The notices that wait while the answer about the user's editor is on the screen, which stands nowhere else: the
/// newest of each kind. They are said one per key, in the order in which they came.
struct HeldNotices: Equatable, Sendable {
  /// The matter of a notice: a newer one makes an older one of the same matter untrue.
  enum Kind: Equatable, Sendable {
    case refresh, comparison, difference

    init(_ notice: SyncNotice) {
      switch notice {
      case .refreshed, .startedAgain: self = .refresh
      case .verifying, .verified, .verifyFailed: self = .comparison
      case .differs: self = .difference
      }
    }
  }

  private var notices: [SyncNotice] = []
  /// The one that was said last.
  private var said: SyncNotice?

  mutating func hold(_ notice: SyncNotice) {
    forget(Kind(notice))
    notices.append(notice)
  }

  mutating func forget(_ kind: Kind) { notices.removeAll { Kind($0) == kind } }

  /// Forgets the advice of a refresh that failed.
  mutating func forgetFailure() {
    notices.removeAll { if case .refreshed(let result) = $0 { result.failure != nil } else { false } }
  }

  /// The one that is said with a key, which then is not held any more. Nil if something is on the screen that has to be
  /// read first: anything but the answer about the editor and the one that was said with the key before.
  mutating func next(after notice: Notice?) -> SyncNotice? {
    let isRead = notice.map { $0.isOfExternalEditor || $0 == said.map(Notice.sync) } ?? true
    guard isRead, !notices.isEmpty else { return nil }
    said = notices.removeFirst()
    return said
  }
}
