package import FoundationEssentials
package import TableProtocol

/// An item as it goes to another program or comes from one: what is known of it apart from this list and its server.
package struct PortableItem: Sendable, Hashable {
  /// Its id here, or the id that it will have. Nil if the other program knows none: then a new one is made.
  package var id: RecordID?
  /// Another id under which it may be here already, as the other program has it.
  package var otherID: RecordID?
  /// A word that may be the beginning of its id, as `ebb list` prints it.
  package var handle: Handle?
  package var text: String
  package var complete: Bool
  /// Nil if it is not known.
  package var created: PortableTime?
  /// When it was completed. Nil if it is open, or if that is not known.
  package var completed: PortableTime?

  package init(
    _ text: String, complete: Bool = false, id: RecordID? = nil, created: PortableTime? = nil,
    completed: PortableTime? = nil
  ) {
    self.text = text
    self.complete = complete
    self.id = id
    self.created = created
    self.completed = completed
  }
}

extension PortableItem {
  package struct Handle: Sendable, Hashable {
    package let name: String
    /// The text of the item if the handle names none: then it is a word like any other.
    package let text: String

    package init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }
}

/// A time as exactly as another program has it.
package enum PortableTime: Sendable, Hashable {
  case moment(Timestamp)
  /// A moment in whole seconds. Several items may have the same.
  case second(Timestamp)
  /// A day without a time of day.
  case day(CalendarDay)

  /// False for the moment of creation of an item of which that is not known.
  package var isKnownCreation: Bool {
    switch self {
    case .moment(let moment): CreationDay.isKnown(moment)
    case .second, .day: true
    }
  }

  /// The day in the time zone of the process.
  package var day: CalendarDay {
    switch self {
    case .moment(let moment), .second(let moment): CalendarDay(moment.date)
    case .day(let day): day
    }
  }

  /// UTC. A day counts by a moment that belongs to it in nearly every time zone.
  package var timestamp: Timestamp {
    switch self {
    case .moment(let moment), .second(let moment): moment
    case .day(let day): CreationDay.beginning(of: day, today: nil)
    }
  }
}

/// How an item is kept of which only the day of its creation is known, or not even that. Each item has a moment of
/// creation, which is its place in the list too. So the items of a day stand in the order of their file, in the minutes
/// after one moment of that day: the known ones at even milliseconds, as all that are made here, the others at odd
/// ones. A line of a todo.txt without a date then gets none on its way through this list.
enum CreationDay {
  /// Milliseconds. Half as many items of a day keep their order; the next ones get the last place.
  static let span: Int64 = 200_000

  /// A moment that belongs to the day in every time zone but a few islands'. Of the present day it may not have come
  /// yet.
  static func beginning(of day: CalendarDay, today: CalendarDay?) -> Timestamp {
    if day == today { return day.start }
    let common = day.commonMoment
    return CalendarDay(common.date) == day ? common : day.noon
  }

  /// The place of an item among those of its day, in milliseconds. `index` counts from 0.
  static func place(_ index: Int64, isKnown: Bool) -> Int64 { min(index * 2, span - 2) + (isKnown ? 0 : 1) }

  static func isKnown(_ moment: Timestamp) -> Bool {
    let day = CalendarDay(moment.date)
    return [day.start, day.commonMoment, day.noon].allSatisfy { beginning in
      let place = moment.milliseconds - beginning.milliseconds
      return !(0..<span).contains(place) || place % 2 == 0
    }
  }
}

extension Date {
  /// It stands for its whole day, as the completion of an item does of which a file had the day alone.
  package var standsForDay: Bool { CreationDay.beginning(of: CalendarDay(self), today: nil).date == self }
}

extension CalendarDay {
  /// In the time zone of the process.
  var noon: Timestamp { start.advanced(byMilliseconds: 12 * 3_600_000) }
}

extension Timestamp {
  /// It is the midnight with which a day begins in the time zone of the process.
  package var beginsDay: Bool { CalendarDay(date).start == self }
}
