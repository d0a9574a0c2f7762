import Dispatch
import FoundationEssentials
import Glibc
package import TableProtocol

/// The source of time, new ids and chance: the machine in the program, a script in a test.
package struct Environment: Sendable {
  /// The time now, UTC.
  package let now: @Sendable () -> Timestamp
  /// A new id: a lower-case UUID (wire 1).
  package let newID: @Sendable () -> String

  /// A random number from 0 up to, but not including, 1.
  package let chance: @Sendable () -> Double
  /// Waits this many milliseconds, or until `isOver`, which it calls from time to time, returns true. Called on
  /// the sync queue only.
  package let pause: @Sendable (Int64, _ isOver: () -> Bool) -> Void
  /// Begins work beside the caller, and returns what waits for its end. A test does the work at once, so that every run
  /// of it is the same.
  package let beside: @Sendable (_ work: @escaping @Sendable () -> Void) -> () -> Void

  package init(
    now: @escaping @Sendable () -> Timestamp, newID: @escaping @Sendable () -> String,
    chance: @escaping @Sendable () -> Double = { 0 },
    pause: @escaping @Sendable (Int64, () -> Bool) -> Void = { _, _ in },
    beside: @escaping @Sendable (@escaping @Sendable () -> Void) -> () -> Void = { work in
      work()
      return {}
    }
  ) {
    self.now = now
    self.newID = newID
    self.chance = chance
    self.pause = pause
    self.beside = beside
  }
}

extension Environment {
  /// When a row that is made now was made: the present, at an even millisecond. Odd ones are left to an import, for
  /// rows of which it knows the place among others and not the time.
  func creation() -> Timestamp {
    let now = now().milliseconds
    return Timestamp(milliseconds: now - (now & 1))
  }

  /// The machine's clock, random ids, and real waiting.
  package static let system = Environment(
    now: { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))) },
    newID: { UUID().uuidString.lowercased() },
    chance: { Double.random(in: 0..<1) },
    pause: { milliseconds, isOver in
      var left = milliseconds
      while left > 0, !isOver() {
        let step = min(left, 50)
        _ = poll(nil, 0, Int32(step))
        left -= step
      }
    },
    beside: { work in
      let done = DispatchSemaphore(value: 0)
      // Not a global queue: the first use of one starts a timer that wakes the program every second from then on.
      DispatchQueue(label: "ebb.beside", qos: .userInitiated).async {
        work()
        done.signal()
      }
      return { done.wait() }
    })
}
