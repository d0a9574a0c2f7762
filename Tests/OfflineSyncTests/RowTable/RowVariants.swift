import TableProtocol

@testable import OfflineSync

/// The texts of the table. Each pair of them fits or clashes in a known way.
enum Text {
  static let base = "call the bank about the loan"
  static let sent = "ring the bank about the loan"
  static let mine = "phone the bank about the loan"
  static let new = "mail the bank about the loan"

  /// The text with another last word: fits every edit of the table.
  static func fitting(_ text: String) -> String { (words(text).dropLast() + ["mortgage"]).joined(separator: " ") }

  /// The text changed where `mine` and `new` changed it: at the first word, or where the restored server has a word
  /// more.
  static func clashing(_ text: String) -> String {
    let words = words(text)
    if words.contains("big") { return words.map { $0 == "big" ? "small" : $0 }.joined(separator: " ") }
    return (["write"] + words.dropFirst()).joined(separator: " ")
  }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}

extension Columns {
  static func text(_ text: String) -> Columns { ["text": .text(text), "complete": .bool(false)] }

  static let base = text(Text.base)
  static let sent = text(Text.sent)
  static let mine = text(Text.mine)
  static let new = text(Text.new)

  var line: String { self["text"]?.text ?? "" }
  var fitting: Columns { .text(Text.fitting(line)) }
  var clashing: Columns { .text(Text.clashing(line)) }
}

/// Copies of the row under test, by a time that is their version too.
enum Copy {
  static let id: RecordID = "row"
  static let born = Timestamp(milliseconds: 0)

  static func live(_ values: Columns, at time: Int64 = 1) -> Record {
    Record(id: id, values: values, system: system(time))
  }

  static func tombstone(_ values: Columns? = nil, at time: Int64 = 1) -> Record {
    Record(id: id, values: values ?? [:], system: system(time, deleted: true))
  }

  /// What this device knows of a row that it deleted itself.
  static func trace(_ values: Columns) -> ServerSide {
    .tombstone(
      Record(
        id: id, values: values,
        system: SystemProperties(createdAt: born, updatedAt: Timestamp(milliseconds: 1000), deleted: true)))
  }

  private static func system(_ time: Int64, deleted: Bool = false) -> SystemProperties {
    SystemProperties(
      createdAt: born, updatedAt: Timestamp(milliseconds: time * 1000), version: RecordVersion("v\(time)"),
      deleted: deleted)
  }
}

/// Rows in each of the states, as many kinds of them as the table tells apart.
enum RowVariants {
  static func rows(in state: RowState) -> [TrackedRow] {
    switch state {
    case .s0: [TrackedRow(id: Copy.id)]
    case .s1: [row(.base, known)]
    case .s2: deletedBases.map { row(nil, $0) }
    case .s3: [row(.mine, .never, Places(waiting: 1))]
    case .s4: [row(.mine, known, Places(waiting: 1))]
    case .s5: [row(nil, known, Places(waiting: 1))]
    case .s6: deletedBases.map { row(.mine, $0, Places(waiting: 1)) }
    case .s7: sole(.mine, [.never])
    case .s8: sole(.mine, [known])
    case .s9: sole(nil, [known])
    case .s10: sole(.mine, deletedBases)
    case .s11: behind(.sent, [.mine], [.never])
    case .s12: behind(.sent, [nil], [.never])
    case .s13: behind(.sent, [.mine, .base], [known])
    case .s14: behind(.sent, [nil], [known])
    case .s15: behind(nil, [.mine, .base], [known])
    case .s16: behind(.sent, [.mine], deletedBases)
    case .s17: behind(.sent, [nil], deletedBases)
    case .s18, .s19, .s20: conflicts(state)
    case .s21: rows(in: .s3).map(refused)
    case .s22: rows(in: .s4).map(refused)
    case .s23: rows(in: .s5).map(refused)
    case .s24: rows(in: .s6).map(refused)
    case .s25: [RowState.s7, .s8, .s9, .s10].flatMap { rows(in: $0) }.map(refused)
    case .s26: held
    }
  }

  static let known = ServerSide.known(Copy.live(.base))
  static let deletedBases: [ServerSide] = [
    .tombstone(Copy.tombstone(.base)), .tombstone(Copy.tombstone()), Copy.trace(.base), .unknown,
  ]

  private static func row(_ local: Columns?, _ base: ServerSide, _ places: Places = Places()) -> TrackedRow {
    TrackedRow(id: Copy.id, local: local, createdAt: local == nil ? nil : Copy.born, base: base, places: places)
  }

  private static func sole(_ want: Columns?, _ bases: [ServerSide]) -> [TrackedRow] {
    bases.flatMap { base in
      [false, true].flatMap { isRepeat in
        let pasts: [[Columns]] = base == .never ? [[], [.base]] : [[]]
        return pasts.map { earlier in
          var row = row(want, base, Places(underWay: 1))
          row.underWay = Attempt(want: want, isRepeat: isRepeat)
          row.earlier = earlier
          return row
        }
      }
    }
  }

  private static func behind(_ want: Columns?, _ locals: [Columns?], _ bases: [ServerSide]) -> [TrackedRow] {
    locals.flatMap { local in
      sole(want, bases).map { row in
        var row = row
        row.local = local
        row.createdAt = local == nil ? nil : Copy.born
        row.places.waiting = 2
        return row
      }
    }
  }

  private static func refused(_ row: TrackedRow) -> TrackedRow {
    var row = row
    row.attention = .refused(status: 400, message: "no")
    return row
  }

  private static func conflict(
    _ local: Columns?, _ base: ServerSide, _ server: ServerSide, sent: Columns? = nil
  ) -> TrackedRow {
    var row = row(local, base, Places(waiting: 1))
    row.server = server
    row.attention = .conflict(sent: sent)
    return row
  }

  private static func conflicts(_ state: RowState) -> [TrackedRow] {
    let clashing = ServerSide.known(Copy.live(Columns.base.clashing, at: 2))
    let tombstone = ServerSide.tombstone(Copy.tombstone(at: 2))
    return switch state {
    case .s18:
      [
        conflict(.mine, known, clashing),
        conflict(.mine, known, clashing, sent: .sent),
        conflict(
          .mine, .known(Record(id: Copy.id, values: .sent)), .known(Copy.live(Columns.sent.clashing, at: 2))),
        conflict(.mine, .never, clashing), conflict(.mine, .unknown, clashing),
        conflict(.mine, deletedBases[0], clashing), conflict(.mine, known, lost(clashing)),
        conflict(.mine, .unknown, lost(clashing)),
      ]
    case .s19:
      [
        conflict(.mine, known, tombstone), conflict(.mine, known, .unknown),
        conflict(.mine, known, tombstone, sent: .sent),
        conflict(.mine, .never, .tombstone(Copy.tombstone(.sent, at: 2))),
        conflict(.mine, deletedBases[0], tombstone, sent: .mine), conflict(.mine, known, lost(tombstone)),
      ]
    case _:
      [
        conflict(nil, known, clashing), conflict(nil, known, clashing, sent: .sent), conflict(nil, .never, clashing),
        conflict(nil, deletedBases[0], clashing), conflict(nil, known, lost(clashing)),
        conflict(nil, .unknown, lost(clashing)),
      ]
    }
  }

  /// The copy, after the server went back to the state before it.
  static func lost(_ side: ServerSide) -> ServerSide { side.withVersion(TrackedRow.lostVersion) }

  private static var held: [TrackedRow] {
    let older = ServerSide.known(Copy.live(.text("call the big bank about the loan")))
    let rows: [(local: Columns?, side: ServerSide, acknowledged: Columns?)] = [
      (.base, older, .base), (.mine, older, .base), (.base, .unknown, .base), (.mine, .unknown, .base),
      (.text("call the huge bank about the loan"), older, .base),
      (nil, older, nil),
    ]
    return rows.map { held in
      var row = row(held.local, held.side, Places(waiting: 1))
      row.attention = .held(acknowledged: held.acknowledged)
      return row
    }
  }
}
