import Glibc
import Terminal
import TodoUI
import Words

/// How the user wants the list to look and to be driven: flag, environment, configuration file, default.
struct ListPreferences {
  private let flags: SettingFlags
  private let file: ConfigurationFile?
  private let environment: EnvironmentVariables

  init(_ flags: SettingFlags, _ file: ConfigurationFile?, environment: EnvironmentVariables) {
    self.flags = flags
    self.file = file
    self.environment = environment
  }

  /// Throws `CommandFailure.badSetting` for a flag that can't be used. A value of the file that can't be goes to
  /// `warn`, and the default counts: how the list looks must not keep anybody out of it.
  func preferences(_ catalogue: Catalogue, warn: (BadSetting) -> Void) throws -> Preferences {
    var preferences = Preferences(catalogue: catalogue)
    preferences.isPlain = flags.plain
    preferences.mouse = !flags.noMouse && (choice("mouse", Self.truths, warn) ?? true)
    preferences.charset = wantsASCII(warn) ? .ascii : nil
    // Most of what the other languages write is no ASCII.
    if preferences.charset == .ascii { preferences.catalogue = .english }
    preferences.color = try color(warn)
    chooseTheme(&preferences, warn)
    preferences.asksBeforeLeaving = choice("quit.ask", Self.truths, warn) ?? false
    preferences.automatic = automatic(warn)
    guard let file else { return preferences }
    preferences.savedFilters = savedFilters(file)
    bindKeys(&preferences, file, warn)
    return preferences
  }

  /// For the commands too, whose configuration counts on a terminal alone: a script gets the same from every one.
  var wantsASCII: Bool { flags.ascii || (isatty(STDOUT_FILENO) == 1 && wantsASCII { _ in }) }

  private func wantsASCII(_ warn: (BadSetting) -> Void) -> Bool {
    flags.ascii || (choice("ascii", Self.truths, warn) ?? false)
  }

  private static let themes: KeyValuePairs<String, ThemeChoice> = [
    "auto": .auto, "terminal": .terminal, "light": .light, "dark": .dark, "plain": .plain,
  ]

  private func chooseTheme(_ preferences: inout Preferences, _ warn: (BadSetting) -> Void) {
    for role in ThemeColors.Role.allCases {
      guard let file, let text = file.text("colors." + role.rawValue) else { continue }
      if let color = Style.Color(named: text) {
        preferences.colors[role] = color
      } else {
        let problem = BadSetting(place: file.path, key: "colors." + role.rawValue, value: text)
        warn(problem.allowing("red, bright-red, 208, #ff8800, …"))
      }
    }
    let chosen = choice("theme", Self.themes, warn)
    preferences.configuresTheme = chosen != nil
    preferences.themeChoice = chosen ?? .auto
    // Until the terminal has answered, or if it does not, what its variable says counts.
    preferences.background = Theme.background(inVariable: environment["COLORFGBG"])
    let told = preferences.background.flatMap(Theme.fitting)
    preferences.theme = (preferences.themeChoice.theme ?? told ?? .asking).with(preferences.colors)
  }

  private static let truths: KeyValuePairs = [
    "true": true, "false": false, "yes": true, "no": false, "on": true, "off": false,
  ]
  private static let colors: KeyValuePairs<String, TerminalOptions.ColorChoice> = [
    "auto": .auto, "never": .never, "always": .always, "16": .depth(.sixteen), "256": .depth(.palette256),
    "truecolor": .depth(.trueColor),
  ]

  /// The words that `--color` takes.
  static var colorWords: [String] { colors.map(\.key) }

  /// `NO_COLOR` comes before the file, and a flag before `NO_COLOR`.
  private func color(_ warn: (BadSetting) -> Void) throws -> TerminalOptions.ColorChoice {
    if let choice = try colorFlag() { return choice }
    let chosen = choice("color", Self.colors, warn) ?? .auto
    return environment["NO_COLOR"]?.isEmpty == false ? .auto : chosen
  }

  /// The value of `--color`; nil if it is not given. Throws `CommandFailure.badSetting`.
  func colorFlag() throws -> TerminalOptions.ColorChoice? {
    guard let word = flags.color else { return nil }
    switch Self.value(of: word, in: Self.colors, BadSetting(place: nil, key: "--color", value: word)) {
    case .success(let choice): return choice
    case .failure(let problem): throw CommandFailure.badSetting(problem)
    }
  }

  /// The value that the file gives by one of these words, which are made only if it has the key.
  private func choice<Value>(
    _ key: String, _ words: @autoclosure () -> KeyValuePairs<String, Value>, _ warn: (BadSetting) -> Void
  ) -> Value? {
    guard let file, let texts = file.texts(key) else { return nil }
    let text = texts.joined(separator: ", ")
    switch Self.value(of: text, in: words(), BadSetting(place: file.path, key: key, value: text)) {
    case .success(let value): return value
    case .failure(let problem):
      warn(problem)
      return nil
    }
  }

  private static func value<Value>(
    of word: String, in words: KeyValuePairs<String, Value>, _ problem: BadSetting
  ) -> Result<Value, BadSetting> {
    if let match = words.first(where: { $0.key == word.lowercased() }) { return .success(match.value) }
    return .failure(problem.allowing(words.map(\.key).joined(separator: ", ")))
  }

  private func automatic(_ warn: (BadSetting) -> Void) -> AutomaticSync {
    guard let file, let texts = file.texts("sync.when") else { return AutomaticSync() }
    let words = texts.flatMap { $0.split { $0 == "," || $0.isWhitespace } }
    if !words.isEmpty, let automatic = AutomaticSync(words: words) { return automatic }
    let wrong = words.filter { AutomaticSync(words: [$0]) == nil }.map(String.init)
    for value in wrong.isEmpty ? [texts.joined(separator: ", ")] : wrong {
      var problem = BadSetting(place: file.path, key: "sync.when", value: value)
      problem.flaw = words.isEmpty ? .value : wrong.isEmpty ? .neverAmongOthers : .word
      warn(problem.allowing("never, launch, change, live, 15m, 1h"))
    }
    return AutomaticSync()
  }

  private func savedFilters(_ file: ConfigurationFile) -> [Int: String] {
    file.keys.reduce(into: [:]) { filters, key in
      guard let number = SettingKey.filter(key), let text = file.text(key), !text.isEmpty else { return }
      filters[number] = text
    }
  }

  private func bindKeys(
    _ preferences: inout Preferences, _ file: ConfigurationFile, _ warn: (BadSetting) -> Void
  ) {
    var bindings = preferences.bindings
    for key in file.keys {
      guard let command = SettingKey.command(key), let names = file.texts(key) else { continue }
      let written = names.joined(separator: " ")
      var wrong = written.allSatisfy(\.isWhitespace) ? [""] : []
      do throws(KeyBindings.Problem) {
        if wrong.isEmpty { try bindings.bind(command.name, to: written == Self.noKey ? "" : written) }
      } catch {
        wrong = Self.wrongWords(names, command)
      }
      for word in wrong {
        let problem = BadSetting(place: file.path, key: key, value: word)
        warn(problem.allowing("r, F5, Space, Enter, Esc, Tab, Up, PgDn, Ctrl-X, Alt-B, …, \(Self.noKey)"))
      }
    }
    if bindings != preferences.bindings { preferences.bindings = bindings }
  }

  /// The word for a command that is on no key. An empty value is a mistake here as elsewhere: it may be a line that was
  /// not finished, or one whose key began a comment.
  private static let noKey = "none"

  /// The words that are no keys. A comma that stands alone is one.
  private static func wrongWords(_ names: [String], _ command: Command) -> [String] {
    let words = names.flatMap { $0.split(separator: " ") }
    return words.flatMap { $0.count == 1 ? [$0] : $0.split(separator: ",") }.compactMap { word -> String? in
      var bindings = KeyBindings.standard
      do throws(KeyBindings.Problem) {
        try bindings.bind(command.name, to: String(word))
        return nil
      } catch {
        return error.word
      }
    }
  }
}

extension AutomaticSync {
  /// Nil when a word means nothing, or `never` stands beside others.
  init?(words: [Substring]) {
    self.init()
    let words = words.map { $0.lowercased() }
    if words.isEmpty || words == ["never"] { return }
    for word in words {
      switch word {
      case "launch": onLaunch = true
      case "change": onChange = true
      // A list that is live is so both ways.
      case "live": (isLive, onChange) = (true, true)
      default:
        guard let minutes = Self.minutes(word) else { return nil }
        self.minutes = minutes
      }
    }
  }

  /// `15m`, `1h`, `15`; at most a year.
  private static func minutes(_ word: String) -> Int? {
    let unit = word.hasSuffix("h") ? 60 : 1
    let digits = word.hasSuffix("h") || word.hasSuffix("m") ? word.dropLast() : word[...]
    guard let number = Int(digits), (1...525_600 / unit).contains(number) else { return nil }
    return number * unit
  }
}
