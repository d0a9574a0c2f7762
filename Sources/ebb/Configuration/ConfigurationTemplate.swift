import TodoUI
import Words

/// The file that `ebb config init` writes: each setting with what it is for and its default, which counts in any case:
/// the line has a `#` before it.
struct ConfigurationTemplate {
  private let catalogue: Catalogue
  private let paths: DefaultPaths

  init(_ catalogue: Catalogue, _ paths: DefaultPaths) {
    self.catalogue = catalogue
    self.paths = paths
  }

  var text: String {
    let roles = ThemeColors.Role.allCases.map(\.rawValue).joined(separator: " ")
    let sections: [(SettingText, [String])] = [
      (.head, []),
      (.store, ["store: " + Self.quoted(paths.data("ebb.sqlite"))]), (.server, ["server: ''"]),
      (.tokenFile, ["tokenFile: ''"]), (.caFile, ["caFile: ''"]),
      (.columns, ["columns:", "  text: text", "  complete: complete"]),
      (.syncWhen, ["sync:", "  when: never"]), (.quitAsk, ["quit:", "  ask: false"]), (.theme, ["theme: auto"]),
      (.color, ["color: auto"]), (.mouse, ["mouse: true"]), (.ascii, ["ascii: false"]),
      (.filters, ["filters:", "  1: ''"]), (.keys, ["keys:"] + keys),
    ]
    let written = sections.map { about, lines in
      comment(catalogue.text(about)) + lines.map { "#" + $0 + "\n" }.joined()
    }
    return (written + [comment(catalogue.text(.colors)) + comment(roles)]).joined(separator: "\n")
  }

  private var keys: [String] {
    Command.allCases.map { command in
      let keys = KeyBindings.standard.names(of: command).joined(separator: " ")
      return "  \(command.name): \(Self.quoted(keys))  # " + catalogue.text(named: "help." + command.name)
    }
  }

  private func comment(_ text: String) -> String { "# " + text + "\n" }

  /// As YAML has a text that may have any sign in it.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}
