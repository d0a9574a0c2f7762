/// The settings as they were given on the command line.
struct SettingFlags: Equatable {
  var store: String?
  var server: String?
  var tokenFile: String?
  var caFile: String?
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
  /// Such a line opens the list, which must be on the screen at once: the argument library takes as long to get ready
  /// as the whole first screen. Every other line goes to the library.
  init?(onlyFlagsIn arguments: some Sequence<String>) {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--plain": plain = true
      case "--ascii": ascii = true
      case "--no-mouse": noMouse = true
      default:
        guard let value = arguments.next(), !value.isEmpty, !value.hasPrefix("-"), take(value, for: argument) else {
          return nil
        }
      }
    }
  }

  /// True for one of these flags that takes a value.
  static func takesValue(_ flag: String) -> Bool {
    var flags = SettingFlags()
    return flags.take("", for: flag)
  }

  /// False for a flag that is none of these.
  private mutating func take(_ value: String, for flag: String) -> Bool {
    switch flag {
    case "--store": store = value
    case "--server": server = value
    case "--token-file": tokenFile = value
    case "--ca-file": caFile = value
    case "--config": config = value
    case "--color": color = value
    default: return false
    }
    return true
  }
}
