import Words

/// Which variables of the environment are set that mean something, or look as if they were meant to. Only their
/// names are told: one may hold a token.
struct EnvironmentCheck {
  let environment: [String: String]

  private static let own = ["EBB_CONFIG", "EBB_SERVER", "EBB_STORE", "EBB_TOKEN"]
  private static let folders = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]
  private static let terminal = [
    "COLORTERM", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "NO_COLOR", "TERM",
  ]

  func run(_ report: (Finding) -> Void) {
    let unknown = environment.keys.filter { $0.hasPrefix("EBB_") && !Self.own.contains($0) }.sorted()
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
