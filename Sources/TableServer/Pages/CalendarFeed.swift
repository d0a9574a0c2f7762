import HTTPTypes
import TableProtocol
import TableSQL
import TableStorage

/// `GET /feeds/TOKEN.ics`: what is due, as a calendar that other programs subscribe to (wire 13.1).
///
/// The token stands in the URL, since calendars know no other way. Each open item with a date is an event of a whole
/// day. Done ones are left out: a calendar shows what is ahead, and an event, unlike a task, has no word for done.
enum CalendarFeed {
  static let verbs = [HTTPRequest.Method.get].allowed
  /// Bytes of a calendar. Of a list that has more the items that were changed last are in it.
  private static let largestBody = 4_194_304
  /// Goes up when the same item is written in another way.
  private static let form = 2

  static func isMeant(by request: TableRequest) -> Bool { request.path.hasPrefix("/feeds/") }

  /// The text in the place of a token.
  static func token(in request: TableRequest) -> String {
    let name = request.path.dropFirst("/feeds/".count)
    return name.hasSuffix(".ics") ? String(name.dropLast(".ics".count)) : ""
  }

  /// Answers with the calendar of a list. Throws `StorageError`. If the client has this calendar, it is not made again:
  /// the digest of the list covers the version of each row, and so all that the calendar says.
  static func respond(to request: TableRequest, in list: any StoredList, of database: DatabaseIdentity) throws
    -> TableResponse
  {
    let state = try list.state()
    var response = TableResponse(
      .ok,
      headers: [
        .contentType: "text/calendar; charset=utf-8", .contentDisposition: "inline; filename=\"ebb.ics\"",
        .cacheControl: "private, no-cache", .xContentTypeOptions: "nosniff",
      ])
    response.eTag = "\"\(form)-\(state.digest.count)-\(state.digest.checksumText)\""
    response = response.unlessKnown(to: request)
    if response.status == .ok { response.body = try calendar(of: list, in: database) }
    return response
  }

  private static func calendar(of list: any StoredList, in database: DatabaseIdentity) throws -> [UInt8] {
    var lines = CalendarLines()
    lines.add("BEGIN", value: "VCALENDAR")
    lines.add("VERSION", value: "2.0")
    lines.add("PRODID", value: "-//Ebb//Ebb//EN")
    lines.add("CALSCALE", value: "GREGORIAN")
    lines.add("NAME", value: "Ebb")
    lines.add("X-WR-CALNAME", value: "Ebb")
    lines.add("REFRESH-INTERVAL;VALUE=DURATION", value: "PT1H")
    lines.add("X-PUBLISHED-TTL", value: "PT1H")
    try writeEvents(of: list, in: database, to: &lines)
    lines.add("END", value: "VCALENDAR")
    return lines.bytes
  }

  private static func writeEvents(
    of list: any StoredList, in database: DatabaseIdentity, to lines: inout CalendarLines
  ) throws {
    // Both are there from the beginning, and no column goes.
    guard let text = list.schema.index(of: "text"), let complete = list.schema.index(of: "complete") else { return }
    var query = ListQuery(
      filter: .call(.contains, [.member("text"), .literal(.text("due:"))]), nulls: .sql, limit: Int(Int32.max))
    query.order = [SortKey("updatedAt", ascending: false)]
    try list.forEachRow(of: query) { row in
      guard case .text(let text) = row.values[text], row.values[complete] != .bool(true), let event = DueEvent(text)
      else { return true }
      write(event, of: row, in: database, to: &lines)
      return lines.bytes.count < largestBody
    }
  }

  /// Its id stays for as long as the item exists. There is no `SEQUENCE`, since no change of an item is counted;
  /// `LAST-MODIFIED` says which of two copies is the newer.
  private static func write(
    _ event: DueEvent, of row: ListedRow, in database: DatabaseIdentity, to lines: inout CalendarLines
  ) {
    lines.add("BEGIN", value: "VEVENT")
    lines.add("UID", text: "\(row.id.text)@\(database.text)")
    lines.add("DTSTAMP", moment: row.updatedAt)
    lines.add("CREATED", moment: row.createdAt)
    lines.add("LAST-MODIFIED", moment: row.updatedAt)
    lines.add("DTSTART;VALUE=DATE", value: event.day)
    lines.add("SUMMARY", text: event.title)
    if !event.note.isEmpty { lines.add("DESCRIPTION", text: event.note) }
    // The item does not make its user busy for the whole day.
    lines.add("TRANSP", value: "TRANSPARENT")
    lines.add("END", value: "VEVENT")
  }
}
