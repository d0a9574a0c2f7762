/// A program's hold on its terminal, whether it draws the whole screen or writes line after line. Main thread only.
///
/// However the program ends, crashes included, the terminal is put back as it was found.
package protocol Session: AnyObject {
  /// The terminal's size at this moment, within reason; 80 by 24 when it does not tell.
  var size: Size { get }
  /// What the terminal can show.
  var charset: Charset { get }

  /// Waits until something happens and returns all of it; nothing after `milliseconds`, or when only `wake` was
  /// rung, or now and then. Nil waits for ever.
  func wait(milliseconds: Int32?) -> [TerminalEvent]

  /// What is drawn next is sent whole, whatever the terminal shows now.
  func redraw()

  /// Gives the terminal back, stops the job, and takes the terminal again when the job goes on.
  func suspend()

  /// Gives the terminal back. Call it once, as the last thing.
  func close()
}
