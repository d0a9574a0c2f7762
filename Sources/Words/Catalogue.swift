package import OfflineSync

/// The texts of the interface in one language, read from a `"key" = "text";` file.
package struct Catalogue: Sendable, Equatable {
  let texts: [String: String]

  /// Throws the number of the first line that is neither a text, a comment, nor empty.
  ///
  /// Works on bytes: this is done before the first screen, and characters would take ten times as long.
  package init(parsing source: String) throws(CatalogueError) {
    var texts: [String: String] = [:]
    var inComment = false
    var number = 0
    for line in source.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let line = CatalogueLine(line)
      if inComment || line.startsComment {
        inComment = !line.endsComment
      } else if !line.isBlank {
        guard let (key, text) = line.entry else { throw CatalogueError(line: number) }
        texts[key] = text
      }
    }
    self.texts = texts
  }

  private init(texts: [String: String]) {
    self.texts = texts
  }

  /// The texts of a language. All languages are built into the program; only the one in use is parsed. A test checks that
  /// each parses and is complete.
  package static func of(_ language: Language) -> Catalogue {
    if language == .english { return english }
    return (try? Catalogue(parsing: language.source)) ?? english
  }

  package static let english: Catalogue = (try? Catalogue(parsing: Language.english.source)) ?? Catalogue(texts: [:])

  /// The text with its placeholders filled in; in English when this language lacks it.
  package func text(_ key: StringKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(text(named: key.rawValue), values)
  }

  /// A text that only `ebb --plain` says.
  package func text(_ key: SpokenKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(text(named: key.rawValue), values)
  }

  /// A text of `ebb --help`.
  package func usage(_ key: UsageKey) -> String {
    text(named: key.rawValue)
  }

  /// A text of `ebb doctor`, with its placeholders filled in.
  package func text(_ key: DoctorKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(text(named: key.rawValue), values)
  }

  /// The name of a check in a word or two.
  package func name(of check: DoctorCheck) -> String {
    text(named: "check." + check.rawValue)
  }

  /// The form for this number. `{count}` stands for it.
  package func text(_ key: PluralKey, count: Int, _ values: KeyValuePairs<String, String> = [:]) -> String {
    let one = count == 1 ? texts[key.rawValue + ".one"] : nil
    let form = one ?? text(named: key.rawValue + ".other")
    return Self.fill(Self.fill(form, ["count": String(count)]), values)
  }

  /// The text of this name. The name itself if English lacks it too, which only a mistake in the program can cause.
  package func text(named name: String) -> String {
    optionalText(named: name) ?? name
  }

  /// The text of this name, in English if this language lacks it. Nil if English lacks it too.
  package func optionalText(named name: String) -> String? {
    texts[name] ?? Self.english.texts[name]
  }

  /// Makes one pass over the text, so that braces in the values stay unchanged.
  private static func fill(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
    guard !values.isEmpty else { return text }
    var result = ""
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = rest[rest.index(after: open)..<close]
      result += rest[..<open]
      result += values.first { $0.key == name }?.value ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

package struct CatalogueError: Error, Equatable, Sendable {
  /// Counted from 1.
  package let line: Int

  package init(line: Int) { self.line = line }
}

/// One line of a `.strings` file, as bytes of UTF-8, without the white space around it.
struct CatalogueLine {
  private let bytes: Substring.UTF8View

  init(_ line: Substring.UTF8View) {
    var line = line
    while let first = line.first, Self.isSpace(first) { line.removeFirst() }
    while let last = line.last, Self.isSpace(last) { line.removeLast() }
    bytes = line
  }

  /// Nothing, or a comment to the end of the line.
  var isBlank: Bool { bytes.isEmpty || bytes.starts(with: "//".utf8) }
  var startsComment: Bool { bytes.starts(with: "/*".utf8) }
  var endsComment: Bool { bytes.count >= 2 && bytes.suffix(2).elementsEqual("*/".utf8) }

  /// `"key" = "text";` with `\"`, `\\` and `\n` inside the quotes; nil for anything else.
  var entry: (key: String, text: String)? {
    guard bytes.first == Self.quote, bytes.suffix(2).elementsEqual("\";".utf8) else { return nil }
    let inner = bytes.dropFirst().dropLast(2)
    guard let end = inner.firstIndex(of: Self.quote) else { return nil }
    let rest = inner[end...]
    guard rest.starts(with: "\" = \"".utf8) else { return nil }
    return (String(Substring(inner[..<end])), Self.unescaped(rest.dropFirst(5)))
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private static func unescaped(_ text: Substring.UTF8View) -> String {
    guard text.contains(backslash) else { return String(Substring(text)) }
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == backslash, let next = rest.popFirst() {
        result.append(next == UInt8(ascii: "n") ? UInt8(ascii: "\n") : next)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension Catalogue {
  /// Why a refresh could not be finished, what to do, and that nothing is lost.
  package func sentence(for failure: SyncFailure, pending: Int, refresh: String) -> String {
    sentences(reason(failure), waiting(pending, refresh))
  }

  /// Sentences after each other, with a space between them where the language has one.
  package func sentences(_ sentences: String...) -> String {
    sentences.joined(separator: text(.sentenceSeparator))
  }

  private func waiting(_ pending: Int, _ refresh: String) -> String {
    if pending == 0 { return text(.failureNothingWaits, ["refresh": refresh]) }
    return text(.failureChangesWait, count: pending, ["refresh": refresh])
  }
}

/// Texts that change with a number. Each has the forms `.one` and `.other`; a language without the
/// first (Japanese, Chinese) leaves it out.
package enum PluralKey: String, CaseIterable, Sendable {
  case statusToSend = "status.toSend"
  case statusConflicts = "status.conflicts"
  case statusRefused = "status.refused"
  case failureServerBusyFor = "failure.serverBusyFor"
  case failureServerBusyMinutes = "failure.serverBusyMinutes"
  case failureServerBusyHours = "failure.serverBusyHours"
  case failureServerWentBack = "failure.serverWentBack"
  case failureChangesWait = "failure.changesWait"
  case quitQuestion = "prompt.quit"
  case otherServerQuestion = "prompt.otherServer"
  case otherDatabaseQuestion = "prompt.otherDatabase"
  case otherUserQuestion = "prompt.otherUser"
  case serverWentBackQuestion = "prompt.serverWentBack"
  case commandChangesWait = "command.changesWait"
  case purgeChangesWait = "purge.changesWait"
  case purgeRemoved = "purge.removed"
  case purgeDropped = "purge.dropped"
  case pasteTitle = "paste.title"
  case pasteMore = "paste.more"
  case markedCount = "marks.count"
  case statusArrived = "status.arrived"
  case agoSeconds = "ago.seconds"
  case agoMinutes = "ago.minutes"
  case agoHours = "ago.hours"
  case agoDays = "ago.days"
  case away = "away"
  case historySeveral = "history.several"
  case noticeAdded = "notice.added"
  case noticeDecided = "notice.decided"
  case verifiedDamaged = "verified.damaged"
  case verifiedUnreadable = "verified.unreadable"
  case verifiedWaiting = "verified.waiting"
  case noticeConflictsChanged = "notice.conflictsChanged"
  case noticeChanged = "notice.changed"
  case noticeCompleted = "notice.completed"
  case noticeReopened = "notice.reopened"
  case noticeDeleted = "notice.deleted"
  case failureTriesAgain = "failure.triesAgain"
  case spokenItems = "spoken.items"
}
