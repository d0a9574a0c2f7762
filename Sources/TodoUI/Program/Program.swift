package import FoundationEssentials
package import Terminal
package import TodoCore

/// The list in the terminal: one loop on the main thread that waits, takes in all that came, and draws once.
package final class Program {
  /// Where other threads tell what happened, `.storeChanged` above all. Usable before, during and after `run`.
  package let inbox: Inbox
  private let catalogue: Catalogue
  private let performer: Performer

  /// Why `run` came back.
  package enum End: Equatable, Sendable {
    case left
    /// SIGINT, SIGTERM, SIGHUP or SIGQUIT came; the exit status is by custom 128 and its number.
    case signal(Int32)
    case terminalGone
  }

  /// `describe` makes a sentence of an error the list throws; it is called from any thread. Throws when the
  /// process has no file descriptors left.
  package init(
    list: TodoList, catalogue: Catalogue, describe: @escaping @Sendable (any Error) -> String,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) throws(WakeError) {
    inbox = try Inbox()
    self.catalogue = catalogue
    performer = Performer(list: list, inbox: inbox, describe: describe, clock: clock)
  }

  /// Shows the list until the user leaves, a signal ends the program or the terminal goes away. Main thread only.
  ///
  /// The terminal is as it was before when this returns or throws.
  @discardableResult
  package func run() throws(TerminalProblem) -> End {
    let session = try TerminalSession(wake: inbox.wake)
    defer { session.close() }
    var loop = Loop(
      model: Model(size: session.size, charset: session.charset), performer: performer, session: session)
    loop.perform(firstEffects(loop.model))
    session.draw(view(loop.model, text: catalogue))
    loop.take(.painted)
    while true {
      if let end = loop.turn(inbox) { return end }
      session.draw(view(loop.model, text: catalogue))
    }
  }
}

/// The model and what is done for it.
private struct Loop {
  var model: Model
  let performer: Performer
  let session: TerminalSession
  var end: Program.End?
  /// When the spinner last turned.
  var lastTick = ContinuousClock.now

  /// Waits until something happens and takes in all of it. Only while a refresh runs does it wake by itself.
  mutating func turn(_ inbox: Inbox) -> Program.End? {
    let events = session.wait(milliseconds: model.refresh.isRunning ? 100 : nil)
    let messages = inbox.drain()
    if model.refresh.isRunning && lastTick.duration(to: .now) >= .milliseconds(100) {
      lastTick = .now
      take(.tick)
    }
    for message in messages { take(message) }
    for event in events { hear(event) }
    return end
  }

  private mutating func hear(_ event: TerminalEvent) {
    switch event {
    case .key(let key): take(.key(key))
    case .mouse: break
    case .resized(let size): take(.resized(size))
    case .continued: take(.resized(session.size))
    case .stopAsked: perform([.suspend])
    case .ended(let signal): end = .signal(signal)
    case .gone: end = end ?? .terminalGone
    }
  }

  mutating func take(_ message: Message) {
    guard end == nil else { return }
    perform(update(&model, message))
  }

  /// What an effect answers at once is taken in before the next key, so that each key meets the rows it was meant for.
  mutating func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .redraw: session.redraw()
      case .suspend:
        session.suspend()
        take(.resized(session.size))
      case .quit: end = .left
      default: if let answer = performer.perform(effect) { take(answer) }
      }
    }
  }
}
