import ArgumentParser
import Words

extension CommandConfiguration {
  /// A command with what its help says, examples first. `usage` is how it is typed, if the argument library can't know.
  static func of(
    _ abstract: UsageKey, _ name: String, aliases: [String] = [], usage: String? = nil, examples: ExampleKey,
    more: UsageKey? = nil, subcommands: [any ParsableCommand.Type] = []
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: name, abstract: ErrorMessages.usage(abstract), usage: usage,
      discussion: Self.discussion(examples, more),
      subcommands: subcommands, aliases: aliases)
  }

  /// Examples, and what else there is to say.
  static func discussion(_ examples: ExampleKey, _ more: UsageKey?) -> String {
    let lines = ErrorMessages.catalogue.text(examples).split(separator: "\n").map { "  " + $0 }
    let all = ([ErrorMessages.usage(.examples)] + lines).joined(separator: "\n")
    return more.map { all + "\n\n" + ErrorMessages.usage($0) } ?? all
  }
}

extension ArgumentHelp {
  /// The help of an argument in the language of the environment. The name of its value stays as it is documented.
  static func usage(_ key: UsageKey, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(ErrorMessages.usage(key), valueName: valueName)
  }
}
