import Synchronization
import Testing

@testable import TableServer

/// An hour stands for a wait that no test lives to see the end of.
@Suite("The order of the batches of a push", .timeLimit(.minutes(5)))
struct BatchOrderTests {
  private let order = BatchOrder(longestWait: .seconds(3_600))

  private func turn(_ number: Int, of push: String = "a") -> BatchTurn { BatchTurn(push: push, number: number) }

  private func untilWaiting(_ count: Int) async {
    while order.waiting != count { await Task.yield() }
  }

  @Test("is that of their numbers, in whatever order they come")
  func numbers() async {
    let acted = Diary()
    await withTaskGroup(of: Void.self) { tasks in
      for (count, number) in [3, 1, 4, 2].enumerated() {
        tasks.addTask {
          await order.wait(for: turn(number))
          acted.note(number)
          order.finish(turn(number))
        }
        await untilWaiting(count + 1)
      }
      await order.wait(for: turn(0))
      acted.note(0)
      order.finish(turn(0))
    }
    #expect(acted.numbers == [0, 1, 2, 3, 4])
  }

  @Test("does not hold up the first, one that is sent again, nor another push")
  func freeOnes() async {
    await order.wait(for: turn(0))
    order.finish(turn(0))
    await order.wait(for: turn(1))
    order.finish(turn(1))
    for number in [1, 0, 2] { await order.wait(for: turn(number)) }
    await order.wait(for: turn(0, of: "b"))
    #expect(order.waiting == 0)
  }

  @Test("is forgotten for no batches of strangers, which hold up none that is known either")
  func strangers() async {
    order.finish(turn(0))
    for number in 0...BatchOrder.mostPushes { order.pass(turn(0, of: "stranger \(number)")) }
    await order.wait(for: turn(1))
    #expect(order.waiting == 0)
    order.pass(turn(1))
    await order.wait(for: turn(2))
    #expect(order.waiting == 0)
  }

  @Test("lets one go on when the one before it does not come")
  func timeout() async {
    let order = BatchOrder(longestWait: .milliseconds(1))
    await order.wait(for: turn(7))
    order.finish(turn(7))
    await order.wait(for: turn(8))
    #expect(order.waiting == 0)
  }

  @Test("lets one go whose task is cancelled, before and while it waits")
  func cancellation() async {
    let early = Task {
      while !Task.isCancelled { await Task.yield() }
      await order.wait(for: turn(1))
    }
    early.cancel()
    await early.value
    let late = Task { await order.wait(for: turn(1)) }
    await untilWaiting(1)
    late.cancel()
    await late.value
    #expect(order.waiting == 0)
  }

  @Test("lets all go when it is closed, and holds none from then on")
  func closing() async {
    await withTaskGroup(of: Void.self) { tasks in
      for number in 1...5 { tasks.addTask { await order.wait(for: turn(number)) } }
      await untilWaiting(5)
      order.close()
    }
    await order.wait(for: turn(9))
    #expect(order.waiting == 0)
  }

  @Test("is kept for so many at a time only")
  func mostWaiting() async {
    await withTaskGroup(of: Void.self) { tasks in
      for number in 1...BatchOrder.mostWaiting {
        tasks.addTask { await order.wait(for: turn(1, of: "p\(number)")) }
      }
      await untilWaiting(BatchOrder.mostWaiting)
      await order.wait(for: turn(1))
      #expect(order.waiting == BatchOrder.mostWaiting)
      order.close()
    }
  }

  @Test("is forgotten for the oldest push when there are many")
  func mostPushes() async {
    for number in 0...BatchOrder.mostPushes { order.finish(turn(0, of: "p\(number)")) }
    await order.wait(for: turn(1, of: "p1"))
    let forgotten = Task { await order.wait(for: turn(1, of: "p0")) }
    await untilWaiting(1)
    forgotten.cancel()
    await forgotten.value
  }
}

private final class Diary: Sendable {
  private let noted = Mutex<[Int]>([])

  var numbers: [Int] { noted.withLock { $0 } }

  func note(_ number: Int) {
    noted.withLock { $0.append(number) }
  }
}
