/// Finds the signs that YAML keeps for itself where a value begins: `!` for a tag, `&` for an anchor. The library reads
/// such a value without them, so that `!@phone` would mean the opposite of what is written.
///
/// The text must be valid YAML. Of what YAML can be it knows what people write in a configuration: quotes, brackets,
/// lists, blocks and comments.
struct YAMLSigns {
  private let bytes: [UInt8]
  private var place = 0
  /// Counted from 1.
  private var line = 1
  /// The spaces at the beginning of the line.
  private var indent = 0
  /// Brackets and braces that are open.
  private var depth = 0
  /// The latest key or dash, whose value may begin on a later line: its line, and its column from 0.
  private var holder: (line: Int, column: Int)?

  /// The first such sign and its line; nil if there is none.
  static func first(in bytes: [UInt8]) -> (line: Int, sign: Character)? {
    var signs = YAMLSigns(bytes: bytes)
    return signs.find()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
    indent = bytes.prefix { $0 == .space }.count
  }

  /// Each round begins where a value, a key, or a sign between them may stand.
  private mutating func find() -> (line: Int, sign: Character)? {
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "!"), UInt8(ascii: "&"): return (line, Character(UnicodeScalar(bytes[place])))
      case UInt8(ascii: "#"): skipLine()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipQuoted()
      case UInt8(ascii: "|") where depth == 0, UInt8(ascii: ">") where depth == 0: skipBlock()
      case UInt8(ascii: "["), UInt8(ascii: "{"): step(into: 1)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): step(into: -1)
      case UInt8(ascii: ",") where depth > 0, UInt8(ascii: ":") where depth > 0: step()
      case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "?"):
        if isBlank(at: place + 1) { stepToValue() } else { skipPlain() }
      default:
        if isBlank(at: place) { step() } else { skipPlain() }
      }
    }
    return nil
  }

  private func isBlank(at place: Int) -> Bool {
    place >= bytes.count || [.space, .newline, UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains(bytes[place])
  }

  private mutating func step(into levels: Int = 0) {
    if bytes[place] == .newline {
      line += 1
      indent = bytes[(place + 1)...].prefix { $0 == .space }.count
    }
    depth = max(0, depth + levels)
    place += 1
  }

  /// Passes the sign behind a key, or a dash.
  private mutating func stepToValue() {
    if depth == 0 { holder = (line, column(ofKeyBefore: place + 1)) }
    step()
  }

  private mutating func skipLine() {
    while place < bytes.count, bytes[place] != .newline { place += 1 }
  }

  /// A quote that is written twice between single ones ends there and begins again, which comes to the same.
  private mutating func skipQuoted() {
    let quote = bytes[place]
    step()
    while place < bytes.count, bytes[place] != quote {
      if quote == UInt8(ascii: "\""), bytes[place] == UInt8(ascii: "\\") { step() }
      if place < bytes.count { step() }
    }
    if place < bytes.count { step() }
  }

  /// The lines of a block stand further in than the key or the dash that it belongs to.
  private mutating func skipBlock() {
    let outside = columnOutside(valueAt: place)
    repeat {
      skipLine()
      if place < bytes.count { step() }
    } while place < bytes.count && (indent > outside || isLineEmpty)
  }

  /// From here on the line has nothing but spaces.
  private var isLineEmpty: Bool {
    bytes[place...].first { $0 != .space && $0 != UInt8(ascii: "\r") }.map { $0 == .newline } ?? true
  }

  /// Text without quotes, to a sign that ends it or to the end of its last line. Lines that stand further in can only
  /// go on with it, and a sign means nothing in them.
  private mutating func skipPlain() {
    let start = place
    let outside = columnOutside(valueAt: start)
    repeat { place += 1 } while place < bytes.count && !endsPlain(at: place)
    // A document that begins is no text: its lines may stand anywhere.
    let isMarker = start == lineStart(of: start) && bytes[start..<place].starts(with: Array("---".utf8))
    guard depth == 0, place < bytes.count, bytes[place] == .newline, !isMarker else { return }
    step()
    while place < bytes.count && (indent > outside || isLineEmpty) {
      skipLine()
      if place < bytes.count { step() }
    }
  }

  /// The column of the key or the dash that a value belongs to. If the value begins its line, that stands on an earlier
  /// one.
  private func columnOutside(valueAt start: Int) -> Int {
    if let holder, holder.line < line, bytes[lineStart(of: start)..<start].allSatisfy({ $0 == .space }) {
      return holder.column
    }
    return column(ofKeyBefore: start)
  }

  private func lineStart(of place: Int) -> Int { bytes[..<place].lastIndex(of: .newline).map { $0 + 1 } ?? 0 }

  /// The column of the key in the same line, or of the last dash before it. Behind a dash stand keys whose line begins
  /// further in than its spaces tell.
  private func column(ofKeyBefore start: Int) -> Int {
    let lineStart = lineStart(of: start)
    var outside = lineStart + indent
    while outside < start, [UInt8(ascii: "-"), UInt8(ascii: "?")].contains(bytes[outside]), isBlank(at: outside + 1) {
      let inside = bytes[(outside + 1)...].firstIndex { $0 != .space && $0 != UInt8(ascii: "\t") } ?? start
      if inside >= start { break }
      outside = inside
    }
    return outside - lineStart
  }

  private func endsPlain(at place: Int) -> Bool {
    switch bytes[place] {
    case .newline: true
    case UInt8(ascii: ":"): isBlank(at: place + 1)
    case UInt8(ascii: "#"): isBlank(at: place - 1)
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): depth > 0
    default: false
    }
  }
}

extension UInt8 {
  fileprivate static let space = UInt8(ascii: " ")
  fileprivate static let newline = UInt8(ascii: "\n")
}
