/// What can happen to a row.
enum RowEvent: String, CaseIterable, Hashable {
  case l1, l2, l3, l4, l5, l6, l7, l8, l9, l10, l11, l12, l13, l14, l15
  case m1, m2, m3, m4
  case a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17
  case p1, p2, p3, p4, p5
  case w1, w2, w3, w4, w5, w6, w7

  init?(_ name: some StringProtocol) { self.init(rawValue: name.lowercased()) }

  var name: String { rawValue.uppercased() }

  var group: Group {
    switch rawValue.first {
    case "l": .local
    case "m": .sending
    case "a": .answer
    case "p": .page
    case _: .list
    }
  }

  enum Group: String, CaseIterable {
    case local = "Changes and decisions of the person here"
    case sending = "Sending"
    case answer = "The server's answer to the change under way"
    case page = "Pages of a pull"
    case list = "The whole list"
  }

  var words: String {
    switch self {
    case .l1: "a row is added under a new id"
    case .l2: "the row is edited to a text that neither the base, the attempt nor the server has"
    case .l3: "the row is edited back to the base's columns"
    case .l4: "the row is edited to the columns that are under way"
    case .l5: "the row is edited to the server's columns"
    case .l6: "the row is deleted"
    case .l7: "the row is added again, under the id it had"
    case .l8: "a version of a row in the list is restored"
    case .l9: "a step is undone or redone"
    case .l10: "what waits is dropped from the outbox"
    case .l11: "decided: mine"
    case .l12: "decided: theirs"
    case .l13: "decided: both"
    case .l14: "decided: an edited text"
    case .l15: "a decision is undone"
    case .m1: "the change is marked as sent, and the mark is committed"
    case .m2: "the program ends before the mark is committed"
    case .m3: "the program ends after the mark is committed"
    case .m4: "the request surely did not reach the server: no connection, 401, 421, 429, 503"
    case .a1: "accepted; the stored item is what was sent"
    case .a2: "accepted; the stored item differs from what was sent"
    case .a3: "accepted; the stored item is a tombstone"
    case .a4: "accepted; the answer has no item"
    case .a5: "409 or 412 with a live item that equals what was sent"
    case .a6: "409 or 412 with a live item that has the base's columns, or the earlier ones of a new row"
    case .a7: "409 or 412 with a live item that fits"
    case .a8: "409 or 412 with a live item that clashes"
    case .a9: "409 or 412 with a tombstone"
    case .a10: "409 or 412 without an item that can be believed"
    case .a11: "404 or 410"
    case .a12: "refused: another 4xx"
    case .a13: "403 from the server"
    case .a14: "5xx about this change, or an answer of the server that cannot be read"
    case .a15: "no answer, 408, 502 or 504"
    case .a16: "an answer of something that is not the server"
    case .a17: "409 or 412 with a live item from before the base; the server says no epoch"
    case .p1: "the page has the version that is known"
    case .p2: "the page has a newer live copy"
    case .p3: "the page has an older copy"
    case .p4: "the page has a tombstone of another version"
    case .p5: "a complete comparison did not find the row"
    case .w1: "the list is purged"
    case .w2: "the same list is at another address"
    case .w3: "the list is taken along to another account"
    case .w4: "the server was put back to an older state"
    case .w5: "after that: send mine back"
    case .w6: "after that: keep the server's"
    case .w7: "the server would take the row away, and the person sends back what it would take"
    }
  }
}

/// What a cell may depend on beside the state and the event.
enum Circumstance: String, CaseIterable, Hashable {
  // The row.
  case first = "first attempt"
  case again = "sent before"
  case putBack = "put back"
  case noAncestor = "no ancestor"
  case versioned = "tombstone's version known"
  case bare = "nothing known"
  case insert, update, delete, revival
  case lost = "lost copy"
  case retyped = "edited before it was sent"
  case gone = "deleted here"
  case live = "live here"
  // The columns that an event brings.
  case baseColumns = "base's columns"
  case sentColumns = "columns sent"
  case equal = "equal"
  case fits
  case clashes
  case theirs = "holds mine and more"
  case lastColumns = "tombstone's columns"
  case myWords = "my words"
  case otherWords = "other words"
  case noWords = "no words"
  case sameTombstone = "tombstone it started from"
  // What is known of the server.
  case untouched, touched
  case unreadable
  case absent
  case secondTime = "the second time"
  case ordered = "server in order"
  case unordered = "server without order"
  // The rest.
  case newID = "new id"
  case sent = "sent meanwhile"
  case edited = "after edited"
  case forced
  case older = "older copy"
  case after = "written after"
  case acknowledged = "has what was acknowledged"
  case remembered = "not forgotten"
}

extension Circumstance {
  var words: String {
    switch self {
    case .first: "no earlier attempt of this change can have arrived"
    case .again: "an earlier attempt may have arrived, or the copy was read after an answer that may have acted"
    case .putBack: "the list holds the base's columns again"
    case .noAncestor: "no copy is known that both sides started from"
    case .versioned: "the server said the version of the deleted row"
    case .bare: "neither version nor columns of the deleted row are known"
    case .insert, .update, .delete, .revival: "the kind of the change"
    case .lost: "the conflict is about a copy that the server has lost since; it went back to the base"
    case .retyped: "the new row had other columns here before, and the copy has no word that only those sent have"
    case .gone: "the row is not in the list"
    case .live: "the row is in the list"
    case .baseColumns: "the columns of the copy that the row was made from; of a new row, those before it was edited"
    case .sentColumns: "the columns that were sent"
    case .equal: "the copy equals the row here"
    case .fits: "both changes can stand in one text"
    case .clashes: "the changes do not fit together"
    case .theirs: "the copy has my change already, and another one"
    case .lastColumns: "the columns that the deleted row had"
    case .myWords: "the tombstone has the columns of the row here"
    case .otherWords: "the tombstone has other columns"
    case .noWords: "the tombstone has no columns"
    case .sameTombstone: "the tombstone that the revival started from"
    case .untouched: "the row is read: no attempt has reached it"
    case .touched: "the row is read: its copy is another one"
    case .unreadable: "the row cannot be read"
    case .absent: "the server has no trace of the row"
    case .secondTime: "for the second time in one push"
    case .ordered: "the server promises an order of its rows"
    case .unordered: "the server promises no order of its rows"
    case .newID: "the id was made just now, or no server was ever asked"
    case .sent: "the decision was sent and accepted meanwhile"
    case .edited: "the decision was an edited text"
    case .forced: "the person insists"
    case .older: "the copy that the server went back to is older than what was heard"
    case .after: "the copy was written after the restore"
    case .acknowledged: "the copy has the columns that this device had from the server"
    case .remembered: "the row is older than the restore: the server has not forgotten it"
    }
  }
}
