/// A program's hold on its terminal, whether it draws the whole screen or writes line after line. Main thread only.
///
/// However the program ends, crashes included, the terminal is put back as it was found.
package protocol Session: AnyObject {
  /// The terminal's size at this moment, within reason; 80 by 24 when it does not tell.
  var size: Size { get }
  /// The characters the terminal can show.
  var charset: Charset { get }

  /// Waits until something happens and returns all of it; nothing after `milliseconds`, or when only `wake` was
  /// rung, or now and then. Nil waits for ever.
  func wait(milliseconds: Int32?) -> [TerminalEvent]

  /// Sends the next drawing whole, whatever the terminal shows now.
  func redraw()

  /// Puts a text on the clipboard of the terminal, if the terminal takes it.
  func copy(_ text: String)

  /// Gives the window a title, until the terminal is given back.
  func setTitle(_ title: String)

  /// Asks the terminal for its background. Its answer comes as an event, soon or never. False if it is not asked:
  /// it has too few colours for the answer to matter, or might not understand the question.
  func askBackground() -> Bool

  /// Interrupts `wait` from other threads.
  var wake: Wake { get }

  /// Writes what is still to be written, and leaves the terminal as it was found.
  func giveBack()

  /// Takes the terminal again after `giveBack`.
  func takeOverAgain()
}

extension Session {
  /// Gives the terminal back. Call it once, as the last thing.
  package func close() {
    giveBack()
    CrashGuard.disarm()
    SignalRelay.stop()
  }

  /// Gives the terminal back, stops the job, and takes the terminal again when the job goes on.
  package func suspend() {
    giveBack()
    SignalRelay.stopJob(wake)
    takeOverAgain()
  }

  /// Gives the terminal and its signals to another program for as long as `work` takes, and takes them again.
  package func lend<Result>(to work: () -> Result) -> Result {
    giveBack()
    SignalRelay.pause()
    defer {
      SignalRelay.start(wake)
      takeOverAgain()
    }
    return work()
  }
}
