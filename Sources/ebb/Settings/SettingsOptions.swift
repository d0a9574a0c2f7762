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

  @Option(help: .usage(.caFile, valueName: "file"))
  var caFile: String?

  @Option(help: .usage(.config, valueName: "file"))
  var config: String?

  @Option(help: .usage(.color, valueName: "when"))
  var color: String?

  @Flag(help: .usage(.ascii))
  var ascii = false

  var flags: SettingFlags {
    var flags = SettingFlags(store: store, server: server, tokenFile: tokenFile, config: config)
    flags.caFile = caFile
    flags.color = color
    flags.ascii = ascii
    return flags
  }
}

/// For the commands that may ask something.
struct AskingOptions: ParsableArguments {
  @Flag(help: .usage(.noInput))
  var noInput = false
}

/// The flags for how the list looks and takes input.
struct DisplayOptions: ParsableArguments {
  @Flag(help: .usage(.plain))
  var plain = false

  @Flag(help: .usage(.noMouse))
  var noMouse = false

  func added(to flags: SettingFlags) -> SettingFlags {
    var flags = flags
    flags.plain = plain
    flags.noMouse = noMouse
    return flags
  }
}
