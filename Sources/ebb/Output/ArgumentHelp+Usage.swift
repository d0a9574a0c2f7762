import ArgumentParser
import Words

extension ArgumentHelp {
  /// What is told of an argument in the language of the environment. The name of its value stays as it is documented.
  static func usage(_ key: UsageKey, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(ErrorMessages.usage(key), valueName: valueName)
  }
}
