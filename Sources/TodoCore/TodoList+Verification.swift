import OfflineSync
import TableProtocol

/// What a verification says while it runs, and once at its end.
package enum VerifyEvent: Sendable, Hashable {
  /// Another program is syncing this store; this begins when it is done.
  case waitingForOtherProgram
  /// Items of the server that were looked at, of about so many.
  case progress(compared: Int, total: Int)
  case finished(Result<Verification, RefreshFailure>)
}

extension TodoList {
  /// Compares every item with the server's, one by one, and changes nothing; any server of the protocol can be
  /// asked. What other devices changed since the last refresh is found to be different. Returns at once; `report`
  /// is called on the sync queue, and last, once, with `.finished`.
  @discardableResult
  package func verify(_ report: @escaping @Sendable (VerifyEvent) -> Void) -> RunningRefresh {
    let cancellation = context.verify(Self.table) { event in
      switch event {
      case .waitingForOtherProgram: report(.waitingForOtherProgram)
      case .progress(let compared, let total): report(.progress(compared: compared, total: total))
      case .finished(let outcome): report(.finished(outcome.map(Verification.init).mapError(RefreshFailure.init)))
      }
    }
    return RunningRefresh(cancellation)
  }
}

extension Agreement {
  init(_ comparison: TableComparison) {
    self.init(here: Side(comparison.here), there: Side(comparison.there))
  }
}

extension Agreement.Side {
  init(_ digest: TableDigest) {
    self.init(count: digest.count, checksum: digest.checksum)
  }
}

extension Verification {
  init(_ found: TableVerification) {
    self.init(
      agreement: Agreement(here: Agreement.Side(found.here), there: Agreement.Side(found.there)),
      missingHere: found.missingHere, missingThere: found.missingThere,
      different: found.different + found.differentContent)
  }
}
