import TableProtocol
import TodoCore

/// Reads the to-dos of a calendar (RFC 5545). Everything else in it is left out.
struct CalendarReader {
  private var result = ImportResult()
  /// The components that are open, outermost first.
  private var open: [String] = []
  private var todo: Todo?

  /// Properties that a calendar needs and a to-do here does not: nothing is lost without them.
  private static let silent: Set<String> = ["VCALENDAR", "VTODO", "VTIMEZONE", "STANDARD", "DAYLIGHT", "VALARM"]

  static func read(_ text: String) throws(ImportProblem) -> ImportResult {
    var calendar = CalendarReader()
    var isCalendar = false
    for line in ContentLines(text) {
      guard let property = CalendarProperty(line.text) else { continue }
      if property.name == "BEGIN", property.value.uppercased() == "VCALENDAR" { isCalendar = true }
      guard isCalendar else { throw .notOfFormat(.ics, line: line.number) }
      calendar.read(property, line: line.number)
    }
    guard isCalendar, calendar.open.isEmpty else { throw .notOfFormat(.ics, line: nil) }
    return calendar.result
  }

  private mutating func read(_ property: CalendarProperty, line: Int) {
    switch property.name {
    case "BEGIN": begin(property.value.uppercased(), line: line)
    case "END": end(property.value.uppercased())
    default: if open.last == "VTODO" { todo?.read(property) }
    }
  }

  private mutating func begin(_ name: String, line: Int) {
    let isOutermost = open.count <= 1
    open.append(name)
    if name == "VTODO" {
      // One within another: neither is known to be whole.
      if let todo { result.leaveOut(.malformed, line: todo.line) }
      todo = Todo(line: line)
    } else if name == "VALARM" {
      todo?.drop(name)
    } else if isOutermost, !Self.silent.contains(name) {
      result.leaveOut(.component(name), line: line)
    }
  }

  private mutating func end(_ name: String) {
    // An end without its beginning closes nothing.
    guard open.last == name else { return }
    open.removeLast()
    guard name == "VTODO", let todo else { return }
    self.todo = nil
    if todo.isOneOfRepeated { return result.leaveOut(.repeating, line: todo.line) }
    guard let item = todo.item else { return result.leaveOut(.noText, line: todo.line) }
    result.add(item, line: todo.line)
    result.drop(todo.dropped)
    result.notUnderstood += todo.strange
    if todo.hasTimeOfDay { result.timesOfDay += 1 }
  }
}

private struct Todo {
  let line: Int
  private(set) var dropped: [String] = []
  private(set) var strange: [StrangeValue] = []
  private(set) var hasTimeOfDay = false
  /// A change of one of the days on which another to-do is repeated.
  private(set) var isOneOfRepeated = false
  private var parts = ItemParts()
  private var uid: String?
  private var status = ""
  private var percent = ""
  private var created: PortableTime?
  private var completed: PortableTime?

  /// Properties that a calendar notes by itself, or that others say too.
  private static let own: Set<String> = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "CLASS", "TRANSP", "ORGANIZER"]

  init(line: Int) { self.line = line }

  var item: PortableItem? {
    guard let text = parts.text else { return nil }
    let complete =
      switch status {
      // A to-do that was given up does not wait to be done either.
      case "COMPLETED", "CANCELLED": true
      case "": completed != nil || percent == "100"
      default: false
      }
    var item = PortableItem(text, complete: complete, created: created, completed: complete ? completed : nil)
    if let uid, !uid.isEmpty {
      item.id = UUIDText.id(uid) ?? UUIDText.id(for: uid)
      item.otherID = RecordID(uid)
    }
    return item
  }

  mutating func drop(_ name: String) { dropped.append(name) }

  mutating func read(_ property: CalendarProperty) {
    switch property.name {
    case "UID": uid = property.value
    case "SUMMARY": parts.line = property.text
    case "DESCRIPTION": parts.note = property.text
    case "DUE": readDue(property.value)
    case "PRIORITY": parts.priority = PriorityNumber(property.value)?.letter
    case "CATEGORIES": parts.categories += property.texts
    case "STATUS": status = property.value.uppercased()
    case "PERCENT-COMPLETE":
      percent = property.value
      if !["0", "100"].contains(percent) { drop(property.name) }
    case "COMPLETED": completed = readTime(property)
    case "CREATED": created = readTime(property)
    case "RECURRENCE-ID": isOneOfRepeated = true
    default: if !Self.own.contains(property.name), !property.name.hasPrefix("X-") { drop(property.name) }
    }
  }

  private mutating func readTime(_ property: CalendarProperty) -> PortableTime? {
    let time = CompactTime(property.value)?.time
    if time == nil, !property.value.isEmpty {
      strange.append(StrangeValue(property.name, property.value, line: line))
    }
    return time
  }

  private mutating func readDue(_ value: String) {
    guard let due = CompactTime(value) else { return strange.append(StrangeValue("DUE", value, line: line)) }
    parts.due = due.time.day
    hasTimeOfDay = due.hasTimeOfDay
  }
}

/// One line of a calendar: `DUE;VALUE=DATE:20261224`. Parameters are passed over.
struct CalendarProperty {
  let name: String
  /// As it stands there.
  let value: String

  /// Nil for a line without a colon.
  init?(_ line: String) {
    let bytes = line.utf8
    guard let nameEnd = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }) else {
      return nil
    }
    var isQuoted = false
    let colon = bytes[nameEnd...].firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ":") && !isQuoted
    }
    guard let colon else { return nil }
    name = line[..<nameEnd].uppercased()
    value = String(line[bytes.index(after: colon)...])
  }

  /// The value as a text (3.3.11).
  var text: String { texts(separator: nil).first ?? "" }
  /// The value as a list of texts.
  var texts: [String] { texts(separator: ",") }

  private func texts(separator: Unicode.Scalar?) -> [String] {
    var texts = [String.UnicodeScalarView()]
    var scalars = value.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      if scalar == separator {
        texts.append(String.UnicodeScalarView())
      } else if scalar == "\\", let next = scalars.next() {
        texts[texts.count - 1].append(next == "n" || next == "N" ? "\n" : next)
      } else {
        texts[texts.count - 1].append(scalar)
      }
    }
    return texts.map { String($0) }
  }
}

/// The lines of a calendar, with those that are folded put together again (3.1).
private struct ContentLines: Sequence, IteratorProtocol {
  private var lines: NumberedLines
  /// Read already, for it may go on with the one before.
  private var ahead: (number: Int, line: Substring)?

  init(_ text: String) {
    lines = NumberedLines(text)
    ahead = lines.next()
  }

  mutating func next() -> (number: Int, text: String)? {
    guard let first = ahead else { return nil }
    // By bytes: some programs fold within a character.
    var bytes = Array(first.line.utf8)
    ahead = lines.next()
    while let more = ahead, more.line.utf8.first == 0x20 || more.line.utf8.first == 0x09 {
      bytes += more.line.utf8.dropFirst()
      ahead = lines.next()
    }
    return (first.number, String(decoding: bytes, as: UTF8.self))
  }
}
