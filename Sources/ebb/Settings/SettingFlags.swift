/// The settings as they were given on the command line.
struct SettingFlags {
  var store: String?
  var server: String?
  var tokenFile: String?
  var config: String?

  init(store: String? = nil, server: String? = nil, tokenFile: String? = nil, config: String? = nil) {
    self.store = store
    self.server = server
    self.tokenFile = tokenFile
    self.config = config
  }

  /// Reads a command line that holds nothing but these flags, each with its value; nil for any other.
  ///
  /// That is how the list is opened, and the list is to be there at once: the argument library takes
  /// as long to get ready as the whole first screen. Whatever is not as simple as this goes to it.
  init?(onlyFlagsIn arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      guard let value = arguments.next(), !value.hasPrefix("-") else { return nil }
      switch argument {
      case "--store": store = value
      case "--server": server = value
      case "--token-file": tokenFile = value
      case "--config": config = value
      default: return nil
      }
    }
  }
}
