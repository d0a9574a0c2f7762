import TableProtocol
import TodoCore

/// Reads a table with a header (RFC 4180), of Ebb or of another program: commas, semicolons or tabs between fields.
struct CSVReader {
  private let columns: [Column?]
  private let names: [String]
  private let today: CalendarDay?
  /// The orders of day and month in the dates of columns, by the places of these.
  private var orders: [Int: SlashedDate.Order] = [:]

  static func read(_ text: String, today: CalendarDay?) throws(ImportProblem) -> ImportResult {
    var rows = CSVRows(text)
    guard let header = rows.next() else { throw .notOfFormat(.csv, line: 1) }
    guard var table = CSVReader(header.fields, today: today) else { throw .noTextColumn(line: header.line) }
    table.findOrders(in: rows)
    var result = ImportResult()
    while let row = rows.next() {
      if row.fields != [""] { table.read(row.fields, line: row.line, &result) }
    }
    if let line = rows.unclosed { throw .notOfFormat(.csv, line: line) }
    return result
  }

  /// The first line names columns that are known, a text among them, or the second if the first states a separator.
  static func hasKnownHeader(_ text: String) -> Bool {
    var rows = CSVRows(NumberedLines(text).prefix(2).map { String($0.line) }.joined(separator: "\n"))
    guard let header = rows.next()?.fields, header.count > 1 else { return false }
    return CSVReader(header, today: nil).map { $0.columns.count(where: { $0 != nil }) > 1 } ?? false
  }

  /// Nil if no column has a text.
  private init?(_ header: [String], today: CalendarDay?) {
    self.today = today
    names = header.map { $0.trimmingPrefix(while: \.isWhitespace).lowercased() }
    var columns = names.map(Column.init)
    // A description beside a title is a note.
    if !columns.contains(.text) {
      guard let place = names.firstIndex(of: "description") else { return nil }
      columns[place] = .text
    }
    self.columns = columns
  }

  /// Finds the order of day and month in each column of dates: 12/24/2026 in one row settles what 12/01/2026 is in
  /// another. Rows that contradict each other settle nothing.
  private mutating func findOrders(in rows: CSVRows) {
    let places = columns.indices.filter { columns[$0] == .due }
    guard let today, !places.isEmpty else { return }
    var rows = rows
    var found: [Int: Set<SlashedDate.Order>] = [:]
    while let fields = rows.next()?.fields {
      for place in places where place < fields.count {
        guard let order = SlashedDate(CSVItem.words(ofDate: fields[place]), today: today)?.order else { continue }
        found[place, default: []].insert(order)
      }
    }
    orders = found.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  private func read(_ fields: [String], line: Int, _ result: inout ImportResult) {
    var row = CSVItem(today: today)
    var values: [Column: String] = [:]
    var (dropped, repeated): ([String], [String]) = ([], [])
    var unnamed: [Int] = []
    var strange: [StrangeValue] = []
    for (index, field) in fields.enumerated() where !field.isEmpty {
      let field = CSVWriter.unguarded(field)
      let name = index < names.count ? names[index] : ""
      guard index < columns.count, let column = columns[index] else {
        if name.isEmpty { unnamed.append(index + 1) } else { dropped.append(name) }
        continue
      }
      if let value = values[column] {
        if value != field { repeated.append(name) }
      } else if row.read(column, field, orders[index]) {
        values[column] = field
      } else {
        let days = column == .due ? row.possibleDays(field) : []
        strange.append(StrangeValue(name, field, line: line, couldBe: days))
      }
    }
    guard let item = row.item else { return result.leaveOut(.noText, line: line) }
    result.add(item, line: line)
    result.drop(dropped)
    for name in Set(repeated) { result.repeatedColumns[name, default: 0] += 1 }
    for number in unnamed { result.unnamedColumns[number, default: 0] += 1 }
    result.notUnderstood += strange
    if row.hasTimeOfDay { result.timesOfDay += 1 }
  }
}

/// The meaning of a column. Its names are those of Ebb, of other programs, and of the languages that Ebb speaks.
private enum Column {
  case id, complete, text, note, priority, due, projects, contexts, created, completed

  /// Nil for a name that is not known.
  init?(_ name: String) {
    switch name {
    case "id", "uid", "uuid": self = .id
    case "complete", "done", "status", "is_completed", "iscomplete": self = .complete
    case "hecho", "hecha", "estado", "完了", "状態", "完成", "狀態": self = .complete
    case "text", "task", "title", "summary", "subject", "content", "name", "todo": self = .text
    case "texto", "tarea", "título", "titulo", "asunto", "nombre": self = .text
    case "タスク", "タイトル", "件名", "内容", "事項", "標題", "內容", "任務": self = .text
    case "note", "notes", "comment", "comments", "description": self = .note
    case "nota", "notas", "comentario", "comentarios", "descripción", "メモ", "備考", "備註", "附註": self = .note
    case "priority", "prioridad", "優先度", "優先順序": self = .priority
    case "due", "due date", "due_date", "duedate", "deadline": self = .due
    case "vence", "vencimiento", "fecha de vencimiento", "fecha límite", "期限", "期日", "到期日": self = .due
    case "projects", "project", "list": self = .projects
    case "proyectos", "proyecto", "lista", "プロジェクト", "リスト", "專案", "清單": self = .projects
    case "contexts", "context", "tags", "tag", "labels", "label", "categories", "category": self = .contexts
    case "contextos", "contexto", "etiquetas", "etiqueta", "categorías", "categoría", "タグ", "標籤": self = .contexts
    case "created", "createdat", "created_at", "entry", "creation date", "added": self = .created
    case "creado", "creada", "fecha de creación", "作成日", "建立日期": self = .created
    case "completed", "completedat", "completed_at", "end", "completion date": self = .completed
    case "completado", "completada", "完了日", "完成日期": self = .completed
    default: return nil
    }
  }
}

private struct CSVItem {
  let today: CalendarDay?
  private(set) var hasTimeOfDay = false
  private var parts = ItemParts()
  private var id: RecordID?
  /// The id as it is written, if that is another: other programs write UUIDs with capitals.
  private var writtenID: RecordID?
  private var complete: Bool?
  private var created: PortableTime?
  private var completed: PortableTime?

  init(today: CalendarDay?) { self.today = today }

  var item: PortableItem? {
    guard let text = parts.text else { return nil }
    let isComplete = complete ?? (completed != nil)
    var item = PortableItem(
      text, complete: isComplete, id: id, created: created, completed: isComplete ? completed : nil)
    item.otherID = writtenID
    return item
  }

  /// False for a value that means nothing here. `order` is that of day and month in the column's dates, if it is known.
  mutating func read(_ column: Column, _ value: String, _ order: SlashedDate.Order?) -> Bool {
    switch column {
    case .text: parts.line = value
    case .note: parts.note = value
    case .projects: parts.projects = Self.words(value, sign: "+")
    case .contexts: parts.contexts = Self.words(value, sign: "@")
    case .id:
      id = UUIDText.id(value)
      writtenID = id == nil || id?.text == value ? nil : RecordID(value)
    case .priority: return readPriority(value)
    case .due: return readDue(value, order)
    case .created:
      created = JSONText.time(value)
      return created != nil
    case .complete:
      complete = Self.isDone(value)
      return complete != nil
    case .completed:
      completed = JSONText.time(value)
      if completed == nil { complete = complete ?? Self.isDone(value) }
      return completed != nil || complete != nil
    }
    return true
  }

  private mutating func readPriority(_ value: String) -> Bool {
    switch value.lowercased() {
    case "high", "alta", "高": parts.priority = "A"
    case "medium", "media", "中": parts.priority = "B"
    case "low", "baja", "低": parts.priority = "C"
    case "none", "ninguna", "なし", "無": break
    default:
      let letter = value.uppercased().filter { $0 != "(" && $0 != ")" }
      guard letter.utf8.count == 1, let letter = letter.first, ("A"..."Z").contains(letter) else { return false }
      parts.priority = letter
    }
    return true
  }

  private mutating func readDue(_ value: String, _ order: SlashedDate.Order?) -> Bool {
    if let time = JSONText.time(value.replacing("/", with: "-")) {
      parts.due = time.day
      if case .moment(let moment) = time { hasTimeOfDay = !moment.beginsDay }
      return true
    }
    guard let today else { return false }
    let words = Self.words(ofDate: value)
    if let order, let day = SlashedDate(words, today: today)?.day(order) {
      parts.due = day
      return true
    }
    switch DueWords.meaning(of: words, today: today) {
    case .day(let day): parts.due = day
    case .never: break
    case nil: return false
    }
    return true
  }

  /// The days that a date means which can be read in two ways, else none.
  func possibleDays(_ value: String) -> [CalendarDay] {
    guard let today, let date = SlashedDate(Self.words(ofDate: value), today: today) else { return [] }
    return [date.dayFirst, date.monthFirst].compactMap { $0 }
  }

  /// Without spaces before it.
  static func words(ofDate value: String) -> Substring { value.trimmingPrefix(while: \.isWhitespace) }

  private static func isDone(_ value: String) -> Bool? {
    switch value.lowercased() {
    case "true", "yes", "y", "1", "x", "done", "completed", "complete": true
    case "sí", "si", "verdadero", "hecho", "hecha", "completado", "completada": true
    case "はい", "完了", "是", "完成", "已完成": true
    case "false", "no", "n", "0", "open", "pending", "todo", "needs-action": false
    case "falso", "pendiente", "いいえ", "未完了", "否", "未完成": false
    default: nil
    }
  }

  /// Words with their sign are separated by spaces, names without one by commas or semicolons. The sign of other
  /// programs is `#`, and words with it may be separated either way.
  private static func words(_ value: String, sign: Unicode.Scalar) -> [String] {
    if value.unicodeScalars.first == sign {
      return value.utf8.split(separator: 0x20).map { word in
        String(Substring(Substring(word).unicodeScalars.first == sign ? word.dropFirst() : word))
      }
    }
    let names = value.split { $0 == "," || $0 == ";" }.flatMap { name -> [Substring] in
      let words = name.split(separator: " ")
      return words.allSatisfy { $0.first == "#" } ? words : [name.drop { $0 == " " }]
    }
    return names.map { String($0.first == "#" ? $0.dropFirst() : $0) }
  }
}
