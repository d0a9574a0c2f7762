import Glibc
import Synchronization

/// A command that was started and may be killed. Its exit status is asked for once only, and then remembered.
final class RunningProgram: Sendable {
  private let words: [String]
  private let child: ChildProcess
  private let status = Mutex<Int32?>(nil)

  init(_ device: Device, _ words: [String]) throws {
    self.words = words
    child = try ChildProcess(try device.words(words), in: device.workspace)
  }

  func hasEnded() -> Bool { exitStatus() != nil }

  /// Kills it, unless it has ended, and waits until it is gone.
  func kill() {
    guard !hasEnded() else { return }
    child.signal(SIGKILL)
    while !hasEnded() { usleep(500) }
  }

  /// Waits for its end, which has to be a decent one: done, or one sentence about what went wrong.
  @discardableResult
  func end(allowing allowed: Set<Int32>) async throws -> Outcome {
    do {
      let status = try await waitFor {
        exitStatus()
      } otherwise: {
        "`\(words.joined(separator: " "))` did not end"
      }
      let outcome = Outcome(
        command: words.joined(separator: " "), status: status, output: child.output, error: child.error)
      guard allowed.contains(status), outcome.complaints.count <= 1 else { throw Failure("\(outcome)") }
      return outcome
    } catch {
      kill()
      throw error
    }
  }

  private func exitStatus() -> Int32? {
    status.withLock { status in
      status = status ?? child.exitStatus()
      return status
    }
  }
}
