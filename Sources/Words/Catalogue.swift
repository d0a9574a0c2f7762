/// The texts of the interface in one language, read from a `"key" = "text";` file.
package struct Catalogue: Sendable, Equatable {
  private let index: TextIndex

  /// Throws the number of the first line that is neither a text, a comment, nor empty.
  package init(parsing source: String) throws(CatalogueError) {
    index = try TextIndex(.bytes(Array(source.utf8)))
  }

  private init(_ index: TextIndex) {
    self.index = index
  }

  /// The texts of a language. All languages are built into the program; only the one in use is parsed. A test checks
  /// that each parses and is complete.
  package static func of(_ language: Language) -> Catalogue {
    if language == .english { return english }
    return (try? TextIndex(.builtIn(language))).map(Catalogue.init) ?? english
  }

  package static let english = Catalogue((try? TextIndex(.builtIn(.english))) ?? .empty)

  /// All texts of this language by their names.
  var texts: [String: String] { index.texts }

  /// The text with its placeholders filled in; in English when this language lacks it.
  package func text(_ key: StringKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(text(named: key.rawValue), values)
  }

  /// A notice of the list, with its placeholders filled in.
  package func text(_ key: NoticeKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(text(named: key.rawValue), values)
  }

  /// Words about undo and redo, with their placeholders filled in.
  package func text(_ key: HistoryKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
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

  /// A text of a command, with its placeholders filled in.
  package func text(_ key: CommandKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(text(named: key.rawValue), values)
  }

  /// A text of the configuration file.
  package func text(_ key: SettingText) -> String {
    text(named: key.rawValue)
  }

  /// The examples of a command, a line each.
  package func text(_ key: ExampleKey) -> String {
    text(named: key.rawValue)
  }

  /// A text of `ebb doctor`, with its placeholders filled in.
  package func text(_ key: DoctorKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(text(named: key.rawValue), values)
  }

  /// A text about a server, with its placeholders filled in.
  package func text(_ key: ServerKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(text(named: key.rawValue), values)
  }

  /// A text of `ebb import` and `ebb export`, with its placeholders filled in.
  package func text(_ key: ExchangeKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(text(named: key.rawValue), values)
  }

  /// A text of `ebb help` or of a completion, with its placeholders filled in.
  package func text(_ key: HelpKey, _ values: KeyValuePairs<String, String> = [:]) -> String {
    Self.fill(text(named: key.rawValue), values)
  }

  /// The name of a check in a word or two.
  package func name(of check: DoctorCheck) -> String {
    text(named: "check." + check.rawValue)
  }

  /// The form for this number. `{count}` stands for it, with the language's sign between thousands.
  package func text(_ key: PluralKey, count: Int, _ values: KeyValuePairs<String, String> = [:]) -> String {
    let one = count == 1 ? index[key.rawValue + ".one"] : nil
    let form = one ?? text(named: key.rawValue + ".other")
    return Self.fill(Self.fill(form, ["count": number(count)]), values)
  }

  /// The text of this name. The name itself if English lacks it too, which only a mistake in the program can cause.
  package func text(named name: String) -> String {
    optionalText(named: name) ?? name
  }

  /// The text of this name, in English if this language lacks it. Nil if English lacks it too.
  package func optionalText(named name: String) -> String? {
    index[name] ?? Self.english.index[name]
  }

  /// Makes one pass over the text, so that braces in the values stay unchanged. It appends only strings: the first
  /// substring costs a start of the program a search through all conformances.
  private static func fill(_ text: String, _ values: KeyValuePairs<String, String>) -> String {
    guard !values.isEmpty else { return text }
    var result = ""
    var rest = Substring(text)
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = rest[rest.index(after: open)..<close]
      result += String(rest[..<open])
      result += values.first { $0.key == name }?.value ?? String(rest[open...close])
      rest = rest[rest.index(after: close)...]
    }
    return result + String(rest)
  }
}

package struct CatalogueError: Error, Equatable, Sendable {
  /// Counted from 1.
  package let line: Int

  package init(line: Int) { self.line = line }
}
