import TableProtocol
import TodoCore

/// Reads what `task export` of Taskwarrior writes: an array, or objects one after another.
struct TaskwarriorReader {
  private var reader: JSONReader
  private var lines: LineCounter
  private var characters: WholeCharacters
  private var result = ImportResult()
  private var count = 0

  private init(_ characters: WholeCharacters) throws {
    self.characters = characters
    reader = try JSONReader(characters.bytes)
    lines = LineCounter(characters.bytes)
    result.countsItems = lines.isOneLine
  }

  static func read(_ text: String) throws(ImportProblem) -> ImportResult {
    let characters = WholeCharacters(array(of: Array(text.utf8)))
    return try JSONText.read(characters.bytes, .taskwarrior) {
      var tasks = try TaskwarriorReader(characters)
      try tasks.reader.beginArray()
      while try tasks.reader.nextElement() { try tasks.readTask() }
      try tasks.reader.end()
      return tasks.result
    }
  }

  /// Objects without brackets around them have a line each, in some versions with a comma at its end.
  private static func array(of bytes: [UInt8]) -> [UInt8] {
    guard bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return bytes }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      Array(line.reversed().drop { $0 <= 0x20 || $0 == UInt8(ascii: ",") }.reversed())
    }
    let last = lines.lastIndex { !$0.isEmpty } ?? 0
    for index in lines.indices.prefix(last) where lines[index].last == UInt8(ascii: "}") {
      lines[index].append(UInt8(ascii: ","))
    }
    return [UInt8(ascii: "[")] + lines.joined(separator: [0x0A]) + [UInt8(ascii: "]")]
  }

  private mutating func readTask() throws {
    count += 1
    let start = reader.position
    let line = lines.isOneLine ? count : lines.line(of: reader.position)
    guard reader.next == .object else {
      try reader.raw()
      return result.leaveOut(.malformed, line: line)
    }
    var task = Task()
    try reader.beginObject()
    while let name = try reader.nextName() { try task.read(name, &reader) }
    switch task.status {
    case "deleted": result.leaveOut(.deleted, line: line)
    case "recurring": result.leaveOut(.repeating, line: line)
    default:
      guard let item = task.item else { return result.leaveOut(.noText, line: line) }
      result.add(item, line: line)
      result.drop(task.dropped)
      result.notUnderstood += task.strange.map { StrangeValue($0.field, $0.value, line: line) }
      if task.hasTimeOfDay { result.timesOfDay += 1 }
      if characters.hasHalf(in: start..<reader.position) { result.halfCharacters.append(line) }
    }
  }
}

private struct Task {
  private(set) var status = ""
  private(set) var dropped: [String] = []
  private(set) var strange: [(field: String, value: String)] = []
  private(set) var hasTimeOfDay = false
  private var parts = ItemParts()
  private var notes: [String] = []
  private var id: RecordID?
  private var created: PortableTime?
  private var ended: PortableTime?

  /// Fields that Taskwarrior counts or notes by itself.
  private static let own: Set<String> = ["id", "modified", "urgency", "mask", "imask", "parent", "rtype", "last"]

  var item: PortableItem? {
    var parts = parts
    parts.note = notes.joined(separator: "\n")
    guard let text = parts.text else { return nil }
    let complete = status == "completed"
    return PortableItem(text, complete: complete, id: id, created: created, completed: complete ? ended : nil)
  }

  mutating func read(_ name: String, _ reader: inout JSONReader) throws {
    switch name {
    case "status": status = try reader.textOrSkip() ?? ""
    case "description": parts.line = try reader.textOrSkip() ?? ""
    case "project": parts.projects = try reader.textOrSkip().map { [$0] } ?? []
    case "tags": try readTags(&reader)
    case "priority": readPriority(try reader.textOrSkip() ?? "")
    case "due": try reader.textOrSkip().map { readDue($0) }
    case "entry": created = readTime(name, try reader.textOrSkip() ?? "")
    case "end": ended = readTime(name, try reader.textOrSkip() ?? "")
    case "uuid": id = try reader.textOrSkip().flatMap { UUIDText.id($0) }
    case "annotations": try readAnnotations(&reader)
    default:
      try reader.raw()
      if !Self.own.contains(name) { dropped.append(name) }
    }
  }

  private mutating func readTags(_ reader: inout JSONReader) throws {
    guard try reader.beginsArray() else { return }
    while try reader.nextElement() { parts.contexts += try reader.textOrSkip().map { [$0] } ?? [] }
  }

  private mutating func readPriority(_ text: String) {
    switch text {
    case "H": parts.priority = "A"
    case "M": parts.priority = "B"
    case "L": parts.priority = "C"
    case "": break
    default: strange.append(("priority", text))
    }
  }

  private mutating func readTime(_ name: String, _ text: String) -> PortableTime? {
    let time = CompactTime(text)?.time
    if time == nil, !text.isEmpty { strange.append((name, text)) }
    return time
  }

  private mutating func readDue(_ text: String) {
    guard let due = CompactTime(text) else { return strange.append(("due", text)) }
    parts.due = due.time.day
    hasTimeOfDay = due.hasTimeOfDay
  }

  private mutating func readAnnotations(_ reader: inout JSONReader) throws {
    guard try reader.beginsArray() else { return }
    while try reader.nextElement() {
      guard reader.next == .object else {
        try reader.raw()
        continue
      }
      try reader.beginObject()
      while let name = try reader.nextName() {
        let text = try reader.textOrSkip()
        if name == "description", let text { notes.append(text) }
      }
    }
  }
}

/// A time as `20261224T183000Z`, in UTC, or `20261224T183000` or `20261224`, of a place that is not said.
struct CompactTime {
  let time: PortableTime
  /// False for a day, and for the midnight with which one begins here.
  let hasTimeOfDay: Bool

  init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 8, bytes.prefix(8).allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    guard let day = CalendarDay(date) else { return nil }
    if bytes.count == 8 {
      (time, hasTimeOfDay) = (.day(day), false)
      return
    }
    guard bytes.count == 15 || (bytes.count == 16 && bytes[15] == UInt8(ascii: "Z")), bytes[8] == UInt8(ascii: "T"),
      let moment = Timestamp("\(date)T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
    else { return nil }
    if bytes.count == 15 {
      (time, hasTimeOfDay) = (.day(day), part(9..<15) != "000000")
    } else {
      time = .second(moment)
      hasTimeOfDay = !moment.beginsDay
    }
  }
}

/// The ids of other programs as ids here.
enum UUIDText {
  /// A UUID in small letters. Nil for any other text.
  static func id(_ text: String) -> RecordID? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == [8, 4, 4, 4, 12], parts.allSatisfy({ $0.utf8.allSatisfy(isDigit) }) else {
      return nil
    }
    return RecordID(text.lowercased())
  }

  /// A UUID of version 8 (RFC 9562) that is always the same for the same text: an id here for a program whose ids are
  /// none. Two sums of FNV-1a; whoever makes two texts alike by intent keeps his own item out.
  static func id(for text: String) -> RecordID {
    var digits = Array((sum(text, 0xcbf2_9ce4_8422_2325) + sum(text, 0x6c62_272e_07bb_0142)).utf8)
    digits[12] = UInt8(ascii: "8")
    digits[16] = UInt8(ascii: "a")
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
    return RecordID(groups.joined(separator: "-"))
  }

  private static func sum(_ text: String, _ start: UInt64) -> String {
    text.utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }.hexadecimalText
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte | 0x20)
  }
}
