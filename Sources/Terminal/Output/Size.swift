import Glibc

/// The room of a terminal, in character cells.
package struct Size: Sendable, Hashable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// What a terminal reports, within reason: 80 by 24 for one that does not tell, and no more cells than there can be
  /// on any screen, for memory is taken for each.
  init(reportedColumns columns: Int, rows: Int) {
    let isTold = columns > 0 && rows > 0
    self.init(columns: isTold ? min(columns, 1024) : 80, rows: isTold ? min(rows, 512) : 24)
  }

  /// The size that the terminal behind this descriptor has now.
  init(ofTerminal descriptor: Int32) {
    var window = winsize()
    let isTold = ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0
    self.init(reportedColumns: isTold ? Int(window.ws_col) : 0, rows: Int(window.ws_row))
  }
}
