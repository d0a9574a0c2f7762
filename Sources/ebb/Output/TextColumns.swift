import Terminal

/// Lines for people whose parts stand below each other, two spaces apart.
///
/// Widths are those of a terminal: a Chinese sign has two columns.
enum TextColumns {
  /// Each row has as many parts as the first one. Of no rows it is an empty line.
  static func lines(_ rows: [[String]]) -> [UInt8] {
    let widths = (0..<(rows.first?.count ?? 0)).map { place in
      rows.map { TextWidth.columns(of: $0[place]) }.max() ?? 0
    }
    let lines = rows.map { row in
      let padded = zip(row, widths).map { text, width in
        text + String(repeating: " ", count: width - TextWidth.columns(of: text))
      }
      return padded.joined(separator: "  ").trimmingEnd
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    String(prefix(upTo: lastIndex { $0 != " " }.map { index(after: $0) } ?? startIndex))
  }
}
