import Terminal
import TodoUI
import Words

/// The abilities of the terminal for the list, and the language. Nothing of it keeps the other commands from working.
struct TerminalReview {
  let environment: EnvironmentVariables

  func run(_ report: (Finding) -> Void) {
    let found = TerminalSurroundings.found()
    if let problem = found.problem {
      report(.warn(.terminal, words: ErrorMessages.catalogue.sentence(for: problem)))
    } else {
      report(.ok(.terminal, words: found.term ?? ""))
    }
    report(
      found.charset == .utf8
        ? .ok(.charset, words: "UTF-8") : .warn(.charset, .charsetASCII, ["locale": locale("LC_CTYPE")]))
    report(colors(found.colors))
    report(language)
  }

  private func colors(_ depth: ColorDepth) -> Finding {
    if environment["NO_COLOR"]?.isEmpty == false { return .ok(.colors, .colorsOff) }
    switch depth {
    case .none: return .ok(.colors, .nothing)
    case .eight: return .ok(.colors, words: "8")
    case .sixteen: return .ok(.colors, words: "16")
    case .palette256: return .ok(.colors, words: "256")
    case .trueColor: return .ok(.colors, .colorsAny)
    }
  }

  private var language: Finding {
    let listed = environment["LANGUAGE"].flatMap { $0.isEmpty ? nil : ["LANGUAGE=" + $0] } ?? []
    return .ok(
      .language, .place,
      [
        "value": Language.chosen(environment).ownName,
        "origin": ([locale("LC_MESSAGES")] + listed).joined(separator: ErrorMessages.catalogue.text(.listSeparator)),
      ])
  }

  /// The variable that decides a category of the locale, with its value.
  private func locale(_ category: String) -> String {
    ["LC_ALL", category, "LANG"].lazy.compactMap { name in
      environment[name].flatMap { $0.isEmpty ? nil : "\(name)=\($0)" }
    }.first ?? ErrorMessages.catalogue.text(.standard)
  }
}

extension Language {
  /// As its readers call it.
  fileprivate var ownName: String {
    switch self {
    case .english: "English"
    case .spanish: "español"
    case .japanese: "日本語"
    case .traditionalChinese: "繁體中文"
    }
  }
}

/// Which variables of the environment are set that mean something, or look as if they were meant to. Only their
/// names are told: one may hold a token.
struct EnvironmentCheck {
  let environment: EnvironmentVariables

  private static let own = ["EBB_CA_FILE", "EBB_CONFIG", "EBB_SERVER", "EBB_STORE", "EBB_TOKEN"]
  private static let folders = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]
  private static let terminal = [
    "COLORTERM", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "NO_COLOR", "TERM",
  ]

  func run(_ report: (Finding) -> Void) {
    let unknown = environment.names.filter { $0.hasPrefix("EBB_") && !Self.own.contains($0) }.sorted()
    let relative = Self.folders.filter { isSet($0) && environment[$0]?.hasPrefix("/") == false }
    if !unknown.isEmpty {
      report(.warn(.environment, .environmentUnknown, ["names": list(unknown)]))
    } else if !relative.isEmpty {
      report(.warn(.environment, .environmentRelative, ["names": list(relative)]))
    } else {
      let names = (Self.own + Self.folders + Self.terminal).filter(isSet)
      report(names.isEmpty ? .ok(.environment, .nothing) : .ok(.environment, words: list(names)))
    }
  }

  private func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }

  private func list(_ names: [String]) -> String {
    names.joined(separator: ErrorMessages.catalogue.text(.listSeparator))
  }
}
