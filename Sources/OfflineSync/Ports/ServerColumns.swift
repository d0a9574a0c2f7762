/// The columns that the rows of one table of a server were seen with.
///
/// A server that replaces the whole row resets the columns that a request does not name (offline-sync Q17). This device
/// has seen each row that it edits in full, on a page or in an answer. If no row had a column that is unknown here,
/// such a request resets nothing.
package struct ServerColumns: Sendable, Hashable {
  /// Columns that this device keeps and that rows of the server have.
  package var known: Set<String> = []
  /// True if some row has a column that this device does not keep.
  package var hasOthers = false
  /// True if some row lacks a column that another row has. Such a server leaves out nulls, so one row does not show
  /// all columns of the table.
  package var varies = false
  /// True if a page of the table had rows.
  package var wasListed = false

  package init(known: Set<String> = [], hasOthers: Bool = false, varies: Bool = false, wasListed: Bool = false) {
    self.known = known
    self.hasOthers = hasOthers
    self.varies = varies
    self.wasListed = wasListed
  }

  /// True if a row can be replaced by the columns of this device and loses nothing.
  package var areAllKnown: Bool { wasListed && !hasOthers && !varies }
}

/// Kept in the store as one line for each table: its name, the columns with commas between, and the flags.
extension ServerColumns {
  static func text(of tables: [String: ServerColumns]) -> String {
    tables.filter { isPlain($0.key) }.sorted { $0.key < $1.key }.map { name, columns in
      let flags = [
        columns.wasListed ? "listed" : nil, columns.hasOthers ? "others" : nil, columns.varies ? "varies" : nil,
      ]
      return ([name, columns.known.filter(isPlain).sorted().joined(separator: ",")] + flags.compactMap(\.self)).joined(
        separator: " ")
    }.joined(separator: "\n")
  }

  static func byTable(_ text: String) -> [String: ServerColumns] {
    var tables: [String: ServerColumns] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count >= 2 else { continue }
      let flags = parts.dropFirst(2)
      tables[String(parts[0])] = ServerColumns(
        known: Set(parts[1].split(separator: ",").map(String.init)), hasOthers: flags.contains("others"),
        varies: flags.contains("varies"), wasListed: flags.contains("listed"))
    }
    return tables
  }

  /// False for a name with a space or a comma: such a name is not saved.
  private static func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: ",") }
  }
}
