import FoundationEssentials
import OfflineSync
package import Terminal
package import TodoCore
import Words

/// The list in the terminal: one loop on the main thread that waits, takes in all that came, and shows it once.
package final class Program {
  /// Where other threads tell what happened, `.storeChanged` above all. Usable before, during and after `run`.
  package let inbox: Inbox
  private let preferences: Preferences
  private let runner: EffectRunner

  /// Why `run` came back.
  package enum End: Equatable, Sendable {
    case left
    /// SIGINT, SIGTERM, SIGHUP or SIGQUIT came; the exit status is by custom 128 and its number.
    case signal(Int32)
    case terminalGone
  }

  /// `describe` makes a sentence of an error the list throws. `signInProblem` says why the last sync found no sign-in;
  /// nil if that is not known. Both are called from any thread. Throws when the process has no file descriptors left.
  package init(
    list: TodoList, preferences: Preferences, describe: @escaping @Sendable (any Error) -> String,
    signInProblem: @escaping @Sendable () -> String?
  ) throws(WakeError) {
    inbox = try Inbox()
    self.preferences = preferences
    runner = EffectRunner(list: list, inbox: inbox, describe: describe, signInProblem: signInProblem)
  }

  /// Shows the list until the user leaves, a signal ends the program or the terminal goes away. Main thread only.
  ///
  /// `painted` is called once the list is on the screen, before the first key. The terminal is restored before this
  /// returns or throws.
  @discardableResult
  package func run(painted: () -> Void = {}) throws(TerminalProblem) -> End {
    let renderer = try makeRenderer()
    defer { renderer.close() }
    defer { runner.finish() }
    let session = renderer.session
    var preferences = preferences
    // In a locale of another character set than UTF-8 the other languages would come out garbled.
    if session.charset != .utf8 && preferences.charset == nil { preferences.catalogue = .english }
    var loop = Loop(
      model: Model(size: session.size, charset: session.charset, preferences: preferences, now: .system),
      runner: runner, renderer: renderer, midnight: MidnightTimer(inbox))
    loop.perform(firstEffects(loop.model))
    renderer.draw(loop.model)
    painted()
    if preferences.themeChoice == .auto { loop.perform(ScreenEffect.askBackground) }
    loop.take(.painted)
    while true {
      renderer.draw(loop.model)
      if let end = loop.turn(inbox) { return end }
    }
  }

  private func makeRenderer() throws(TerminalProblem) -> any Renderer {
    if preferences.isPlain { return try PlainRenderer(wake: inbox.wake, options: preferences.terminal) }
    return try ScreenRenderer(wake: inbox.wake, options: preferences.terminal)
  }
}

/// The model and what is done for it.
private struct Loop {
  var model: Model
  let runner: EffectRunner
  let renderer: any Renderer
  let midnight: MidnightTimer

  init(model: Model, runner: EffectRunner, renderer: any Renderer, midnight: MidnightTimer) {
    self.model = model
    self.runner = runner
    self.renderer = renderer
    self.midnight = midnight
  }

  var end: Program.End?
  /// Events that came while a change was made.
  private var held: [TerminalEvent] = []

  /// Waits until something happens, or until the model wants to be woken, and takes in all of it.
  mutating func turn(_ inbox: Inbox) -> Program.End? {
    midnight.follow(model.list.window.showsDates ? model.screen.today : nil)
    let events = held + renderer.session.wait(milliseconds: held.isEmpty ? timeout : 0)
    held = []
    let messages = inbox.drain()
    if let due = model.nextWake, due <= Now.system.uptime { take(.tick) }
    // Keys first: they were pressed on what the screen shows, not on what has come since.
    for event in events { receive(event) }
    for message in messages { take(message) }
    if end != nil { perform(model.lastEffects()) }
    return end
  }

  /// Milliseconds; nil for as long as it takes.
  private var timeout: Int32? {
    model.nextWake.map { Int32(clamping: max(0, $0 - Now.system.uptime)) }
  }

  private mutating func receive(_ event: TerminalEvent) {
    switch event {
    case .key(let key): take(.key(key))
    case .line(let text): for key in model.keys(ofLine: text) { take(.key(key)) }
    case .mouse(let event): take(.mouse(event))
    case .resized(let size): take(.resized(size))
    case .focused: take(.focused)
    case .unfocused: take(.unfocused)
    case .answered(.background(let color)): take(.background(color))
    case .answered(.attributes): take(.background(nil))
    case .continued: take(.resized(renderer.session.size))
    case .stopAsked: perform(ScreenEffect.suspend)
    case .ended(let signal): end = .signal(signal)
    case .gone: end = end ?? .terminalGone
    }
  }

  mutating func take(_ message: Message) {
    guard end == nil else { return }
    perform(update(&model, message, at: .system))
  }

  /// Applies each answer that comes at once before the next key, so that each key meets the rows it was meant for.
  mutating func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .read(let reading): if let answer = runner.perform(reading) { take(answer) }
      case .change(let change): perform(change)
      case .note(let note): runner.perform(note)
      case .sync(let effect): runner.perform(effect)
      case .screen(let effect): perform(effect)
      }
    }
  }

  /// How long a change may take before its progress is shown, and how long until that is shown again: milliseconds.
  private static let patience = (first: 150, next: 80)

  /// How long a sync that runs may put off Ctrl-Z, and the user's editor: milliseconds.
  private static let longestStop = 2_000

  /// Shows how far a change of many items has come if it is not done at once. Escape stops it if it can be stopped; all
  /// other keys wait until it is done.
  private mutating func perform(_ change: Change) {
    var nextDrawing = Now.system.uptime + Self.patience.first
    model.screen.progressStops = change.canStop
    let answer = runner.perform(change, typedOn: model.screen.typedOn) { progress in
      guard Now.system.uptime >= nextDrawing else { return .goOn }
      nextDrawing = Now.system.uptime + Self.patience.next
      model.screen.progress = progress
      renderer.draw(model)
      let events = renderer.session.wait(milliseconds: 0)
      guard change.canStop, let place = events.firstIndex(of: .key(.escape)) else {
        held += events
        return .goOn
      }
      held += events[(place + 1)...]
      return .stop
    }
    model.screen.progress = nil
    take(answer)
  }

  /// Gives the terminal away. Meanwhile this program holds no lock of a sync, and no connection.
  private mutating func whileOthersSync<Result>(_ away: () -> Result) -> Result {
    take(.suspended)
    runner.waitUntilIdle(milliseconds: Self.longestStop)
    let result = away()
    take(.resumed)
    take(.resized(renderer.session.size))
    return result
  }

  mutating func perform(_ effect: ScreenEffect) {
    switch effect {
    case .redraw: renderer.redraw()
    case .setMouse(let isOn): renderer.setMouse(isOn)
    case .askBackground: if !renderer.session.askBackground() { take(.fewColors) }
    case .suspend:
      let session = renderer.session
      whileOthersSync { session.suspend() }
    case .edit(let target, let text):
      let (editor, session, runner) = (ExternalEditor(.ofProcess), renderer.session, runner)
      // It may be open for hours, and Ctrl-Z in it stops this program too.
      let edited = whileOthersSync {
        session.lend {
          editor.edit(text) { path in
            runner.perform(.lent(target, text: text, path: path))
            runner.writeNotes()
          }
        }
      }
      take(.edited(target, seen: text, edited))
      runner.perform(.takenBack)
    case .copy(let text): renderer.session.copy(text)
    case .open(let link):
      let isOpened = LinkOpener(ProcessInfo.processInfo.environment).open(link)
      if !isOpened { renderer.session.copy(link) }
      take(.linkDone(link, isOpened: isOpened))
    case .quit: end = .left
    }
  }
}

/// Shows the list to its user: drawn on the whole screen, or said line by line. Main thread only.
protocol Renderer: AnyObject {
  var session: any Session { get }

  /// Shows the list as it is now. Call it whenever something may have changed.
  func draw(_ model: Model)
  /// Shows everything once more, whatever the terminal shows now.
  func redraw()
  func setMouse(_ isOn: Bool)
  /// Gives the terminal back. Call it once, as the last thing.
  func close()
}

/// The list on the whole screen.
final class ScreenRenderer: Renderer {
  var session: any Session { screen }
  private let screen: TerminalSession
  private let rows = DrawnRows()
  private var title: WindowTitle?

  init(wake: Wake, options: TerminalOptions) throws(TerminalProblem) {
    screen = try TerminalSession(wake: wake, options: options)
  }

  func draw(_ model: Model) {
    screen.draw(view(model, rows))
    let words = WindowTitle(model)
    guard let words, words != title else { return }
    title = words
    screen.setTitle(words.text(model))
  }
  func redraw() { screen.redraw() }
  func setMouse(_ isOn: Bool) { screen.setMouse(isOn) }
  func close() { screen.close() }
}
