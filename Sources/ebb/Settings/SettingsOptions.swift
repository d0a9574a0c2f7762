import ArgumentParser
import Words

/// The settings every command takes.
struct SettingsOptions: ParsableArguments {
  @Option(help: .usage(.store, valueName: "file"))
  var store: String?

  @Option(help: .usage(.server, valueName: "url"))
  var server: String?

  @Option(help: .usage(.tokenFile, valueName: "file"))
  var tokenFile: String?

  @Option(help: .usage(.config, valueName: "file"))
  var config: String?

  var flags: SettingFlags {
    SettingFlags(store: store, server: server, tokenFile: tokenFile, config: config)
  }
}
