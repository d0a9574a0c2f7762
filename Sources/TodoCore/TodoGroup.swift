import FoundationEssentials
import Glibc
import OfflineSync
import TableProtocol

/// A part of the list with a heading of its own.
package enum TodoGroup: Sendable, Hashable {
  /// By the date of the item. The seven days begin with today, which has a group of its own.
  case overdue, today, sevenDays, later, undated
  /// Nil for the items without one.
  case priority(Character?)
  case project(String?)
  /// The day of completion; nil if it is not known.
  case day(CalendarDay?)
}

/// A property by which the items of a list are grouped. The items of a group are adjacent in the order of the list.
package enum TodoGrouping: Sendable, Hashable {
  case date, priority, project, day

  /// Nil for a query whose items stand in no groups.
  package init?(_ query: TodoQuery) {
    switch (query.order, query.view) {
    case (.due, .agenda), (.due, .open): self = .date
    case (.priority, _): self = .priority
    case (.project, _): self = .project
    case (.finished, _): self = .day
    case (.due, _), (.created, _), (.text, _), (.updated, _): return nil
    }
  }

  package func group(of item: TodoItem, today: CalendarDay) -> TodoGroup {
    group(ofValue: value.text(of: Record(item)), today: today)
  }

  /// The value that decides about the group, as the store computes it.
  var value: RowValue {
    switch self {
    case .date: .due
    case .priority: .priority
    case .project: .project
    case .day: .completion
    }
  }

  func group(ofValue text: String, today: CalendarDay) -> TodoGroup {
    switch self {
    case .date: CalendarDay(text).map { TodoGroup(due: $0, today: today) } ?? .undated
    case .priority: .priority(text == RowValue.absent ? nil : text.first)
    case .project: .project(text == RowValue.absent ? nil : text)
    case .day: .day(Timestamp(text).map { CalendarDay($0.date) })
    }
  }
}

extension TodoGroup {
  /// The last of the seven days, in days from today.
  private static let lastDay = 6

  init(due: CalendarDay, today: CalendarDay) {
    self = due < today ? .overdue : due == today ? .today : due.days(since: today) <= Self.lastDay ? .sevenDays : .later
  }

  /// An item that stands before all of this group in the order of the list, and is not in it.
  package func start(today: CalendarDay) -> TodoItem {
    switch self {
    case .overdue: .edge("(A) due:0000-01-01", isStart: true)
    case .today: .edge("(A) due:\(today.text)", isStart: true)
    case .sevenDays: .edge("(A) due:\(today.adding(days: 1).text)", isStart: true)
    case .later: .edge("(A) due:\(today.adding(days: Self.lastDay + 1).text)", isStart: true)
    case .undated: .edge("(A) ", isStart: true)
    case .priority(let letter): .edge((letter.map { "(\($0)) " } ?? "") + "due:0000-01-01", isStart: true)
    case .project(let name): .edge((name.map { $0 + " " } ?? "") + "due:0000-01-01", isStart: true)
    case .day(let day): .edge("", isStart: true, day?.adding(days: 1).midnight)
    }
  }

  /// An item that stands after all of this group, and is not in it.
  package func end(today: CalendarDay) -> TodoItem {
    switch self {
    case .overdue: .edge("due:\(today.adding(days: -1).text)", isStart: false)
    case .today: .edge("due:\(today.text)", isStart: false)
    case .sevenDays: .edge("due:\(today.adding(days: Self.lastDay).text)", isStart: false)
    case .later: .edge("due:9999-12-31", isStart: false)
    case .undated: .edge("", isStart: false)
    case .priority(let letter): .edge(letter.map { "(\($0)) " } ?? "", isStart: false)
    case .project(let name): .edge(name ?? "", isStart: false)
    case .day(let day): .edge("", isStart: false, day?.midnight)
    }
  }
}

extension TodoItem {
  /// An item whose place says where a group begins or ends: before or after all that are like it.
  fileprivate static func edge(_ text: String, isStart: Bool, _ completedAt: Timestamp? = nil) -> TodoItem {
    var item = TodoItem(
      id: RecordID(isStart ? "" : "\u{10FFFF}"), text: text, createdAt: isStart ? .epoch : .lastOfDates,
      // By day the newest change stands first, and before it what the server never stored.
      updatedAt: isStart ? nil : .epoch)
    item.completedAt = completedAt
    return item
  }
}

extension CalendarDay {
  /// The moment the day begins in the time zone of the process.
  fileprivate var midnight: Timestamp {
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1_900), Int32(month - 1), Int32(day))
    parts.tm_isdst = -1
    return Timestamp(milliseconds: Int64(mktime(&parts)) * 1_000)
  }
}
