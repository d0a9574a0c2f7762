import TableProtocol
import TodoCore
import Words

/// The items that some handles name, each once, all of them found before the first is changed.
struct NamedItems {
  let list: TodoList
  let items: [(handle: String, item: TodoItem)]
  let layout: OutputLayout

  /// `a1b2,c3d4` names two items, unless an id has a comma. Throws `CommandFailure`.
  init(_ list: TodoList, _ handles: [String], _ layout: OutputLayout) throws {
    self.list = list
    self.layout = layout
    var seen: Set<RecordID> = []
    items = try handles.flatMap { try Self.items(named: $0, in: list) }.filter { seen.insert($0.item.id).inserted }
      .map { ($0.handle, $0.item) }
  }

  private init(_ named: NamedItems, and others: [Named]) {
    (list, layout) = (named.list, named.layout)
    var seen = Set(named.items.map(\.item.id))
    items = named.items + others.filter { seen.insert($0.item.id).inserted }.map { ($0.handle, $0.item) }
  }

  /// With the items that further words name, each by a handle that is at least as long as the one that `ebb list`
  /// prints. Nil if one word does not: it is a word of a text. A shorter handle is too easily one by chance.
  func adding(_ words: [String]) throws -> NamedItems? {
    do {
      let others = try words.flatMap { try Self.items(named: $0, in: list) }
      guard others.allSatisfy({ $0.typed.utf8.count >= $0.handle.utf8.count }) else { return nil }
      return NamedItems(self, and: others)
    } catch CommandFailure.unknownHandle, CommandFailure.ambiguousHandle, CommandFailure.numberForHandle {
      return nil
    }
  }

  /// The first word that names no item, if all of them look like handles: one that is mistyped must not become the
  /// text.
  func mistypedHandle(in words: [String]) throws -> String? {
    let parts = words.flatMap { $0.split(separator: ",").map(String.init) }
    guard !parts.isEmpty, parts.allSatisfy(Self.looksLikeHandle) else { return nil }
    return try parts.first { word in
      do {
        return try Self.items(named: word, in: list).isEmpty
      } catch CommandFailure.unknownHandle {
        return true
      }
    }
  }

  /// As long as `ebb list` prints handles, and of the digits of a UUID; of other letters and digits mixed if it is as
  /// short as nearly all handles are.
  static func looksLikeHandle(_ word: String) -> Bool {
    let bytes = word.utf8
    guard (4...36).contains(bytes.count) else { return false }
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte | 0x20) }
    if bytes.allSatisfy({ isDigit($0) || (isLetter($0) && $0 | 0x20 <= 0x66) || $0 == UInt8(ascii: "-") }) {
      return bytes.contains { $0 != UInt8(ascii: "-") }
    }
    return bytes.count == 4 && bytes.allSatisfy { isDigit($0) || isLetter($0) } && bytes.contains(where: isDigit)
  }

  private typealias Named = (typed: String, handle: String, item: TodoItem)

  private static func items(named word: String, in list: TodoList) throws -> [Named] {
    try all(named: word) { try item($0, in: list) }
  }

  /// Finds all that a word names: `a1b2,c3d4` are two handles, unless an id has a comma.
  static func all<Found>(named word: String, _ find: (String) throws -> Found) throws -> [Found] {
    do {
      return [try find(word)]
    } catch CommandFailure.unknownHandle where word.contains(",") {
      let parts = word.split(separator: ",").map(String.init)
      guard !parts.isEmpty else { throw CommandFailure.unknownHandle(word) }
      return try parts.map(find)
    }
  }

  private static func item(_ handle: String, in list: TodoList) throws -> Named {
    do {
      let item = try list.item(handle: handle)
      guard !isNumber(handle) || item.id.text == handle else { throw CommandFailure.numberForHandle(handle) }
      return (handle, try list.handle(of: item.id), item)
    } catch TodoError.notFound {
      throw isNumber(handle) ? CommandFailure.numberForHandle(handle) : CommandFailure.unknownHandle(handle)
    } catch TodoError.ambiguousHandle(let candidates) {
      throw isNumber(handle)
        ? CommandFailure.numberForHandle(handle) : CommandFailure.ambiguousHandle(handle, candidates)
    }
  }

  /// In other programs items have numbers. Here 1 would name the item whose id happens to begin so.
  private static func isNumber(_ word: String) -> Bool {
    (1...3).contains(word.utf8.count) && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// Changes them as one step, and prints each item as it is then. An item that is gone by then is reported as deleted:
  /// an edit may let the deletion by another device stand.
  func change(_ change: (TodoList, [RecordID]) throws -> Void) throws {
    try change(list, items.map(\.item.id))
    for (handle, item) in items {
      let now = try list.item(item.id)
      let deleted = "\(handle.printable) \(ErrorMessages.catalogue.text(.conflictDeleted)) \(item.line.printable)"
      StandardOutput.report(now.map { layout.line($0, handle: handle) } ?? deleted)
      if now != nil, item.hasGivenWay(to: now) {
        StandardOutput.error(ErrorMessages.catalogue.text(.commandConflictEnded, ["handle": handle]))
      }
    }
  }

  /// Asks at the terminal whether to delete all of them.
  func agreesToDeletion() -> Bool {
    let catalogue = ErrorMessages.catalogue
    let texts = items.map { "- " + $0.item.line.printable }
    let question = (texts + [catalogue.text(.deleteQuestion, count: items.count)]).joined(separator: "\n")
    return YesOrNo.isAgreed(question, catalogue.text(.joinChoices))
  }
}
