import ArgumentParser

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

  var flags: SettingFlags {
    SettingFlags(store: store, server: server, tokenFile: tokenFile, config: config)
  }
}
