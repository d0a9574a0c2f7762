/// What the rows of one table of a server were seen to hold, beside the columns that this device keeps.
///
/// A server that replaces the whole row resets the columns that a request does not name (offline-sync Q17). Every
/// version of a row that this device starts an edit from was seen in full, on a page or in an answer: while none of
/// them had a column that is not known here, there is nothing to lose.
package struct ServerColumns: Sendable, Hashable {
  /// Columns of this device that rows of the server have.
  package var known: Set<String> = []
  /// Some row has a column that this device does not keep.
  package var hasOthers = false
  /// Some row lacks a column that another has: the server leaves out what is null, so that a row says nothing of
  /// the columns of the others.
  package var varies = false
  /// A page of the table had rows.
  package var wasListed = false

  package init(known: Set<String> = [], hasOthers: Bool = false, varies: Bool = false, wasListed: Bool = false) {
    self.known = known
    self.hasOthers = hasOthers
    self.varies = varies
    self.wasListed = wasListed
  }

  /// True when a row can be replaced by what this device knows of it.
  package var areAllKnown: Bool { wasListed && !hasOthers && !varies }
}

/// In a store: a line for each table, with its name, the columns with commas between, and the flags.
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

  /// A name with a space or a comma is not remembered.
  private static func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: ",") }
  }
}
