import Dispatch

/// Holds a thread until a test lets it go on, and tells the test when the thread is there. Opens by itself after
/// a minute, so that a test that fails does not hang.
package final class Gate: Sendable {
  private static let patience = 60

  private let arrival = DispatchSemaphore(value: 0)
  private let opening = DispatchSemaphore(value: 0)

  package init() {}

  /// Waits here until the gate is opened.
  package func pass() {
    arrival.signal()
    _ = opening.wait(timeout: .now() + .seconds(Self.patience))
  }

  package func open() {
    opening.signal()
  }

  /// Waits until a thread is at the gate.
  package func arrived() async {
    await blocking { self.awaitArrival() }
  }

  /// The same on a thread that may block.
  package func awaitArrival() {
    _ = arrival.wait(timeout: .now() + .seconds(Self.patience))
  }
}
