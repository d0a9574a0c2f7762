import ArgumentParser
import Configuration

/// The settings every command takes.
struct SettingsOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The local list (or EBB_STORE).", valueName: "file"))
  var store: String?

  @Option(help: ArgumentHelp("The server to sync with (or EBB_SERVER).", valueName: "url"))
  var server: String?

  @Option(help: ArgumentHelp("A file with the sign-in token (or the token itself in EBB_TOKEN).", valueName: "file"))
  var tokenFile: String?

  @Option(help: ArgumentHelp("The configuration file (or EBB_CONFIG).", valueName: "file"))
  var config: String?

  /// As the configuration library takes them, by the names they have in the configuration file.
  var values: [AbsoluteConfigKey: ConfigValue] {
    var values: [AbsoluteConfigKey: ConfigValue] = [:]
    for (key, text) in ["store": store, "server": server, "tokenFile": tokenFile] {
      if let text { values[AbsoluteConfigKey([key])] = ConfigValue(.string(text), isSecret: false) }
    }
    return values
  }
}
