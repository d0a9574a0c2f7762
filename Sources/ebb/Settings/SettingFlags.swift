/// The settings as they were given on the command line.
struct SettingFlags {
  var store: String?
  var server: String?
  var tokenFile: String?
  var config: String?
  /// One of the words for `color` in the configuration.
  var color: String?
  /// The list is told line by line.
  var plain = false
  /// Nothing but ASCII is sent to the terminal, whatever the locale says.
  var ascii = false
  var noMouse = false

  init(store: String? = nil, server: String? = nil, tokenFile: String? = nil, config: String? = nil) {
    self.store = store
    self.server = server
    self.tokenFile = tokenFile
    self.config = config
  }

  /// Reads a command line that holds nothing but these flags, those that take one each with its value; nil for any
  /// other.
  ///
  /// That is how the list is opened, and the list is to be there at once: the argument library takes
  /// as long to get ready as the whole first screen. Whatever is not as simple as this goes to it.
  init?(onlyFlagsIn arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      if let flag = Self.switches[argument] {
        self[keyPath: flag] = true
      } else {
        guard let flag = Self.flags[argument], let value = arguments.next(), !value.hasPrefix("-") else { return nil }
        self[keyPath: flag] = value
      }
    }
  }

  private static var flags: [String: WritableKeyPath<SettingFlags, String?>] {
    [
      "--store": \.store, "--server": \.server, "--token-file": \.tokenFile, "--config": \.config, "--color": \.color,
    ]
  }

  private static var switches: [String: WritableKeyPath<SettingFlags, Bool>] {
    ["--plain": \.plain, "--ascii": \.ascii, "--no-mouse": \.noMouse]
  }
}
