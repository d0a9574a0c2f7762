import ArgumentParser
import Words

/// `ebb completions`: the script by which a shell completes commands of Ebb.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: ErrorMessages.usage(.completions),
    discussion: ErrorMessages.usage(.completionsMore))

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish
  }

  @Argument(help: .usage(.completionsShell))
  var shell: Shell

  func run() throws {
    let script: Document =
      switch shell {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    StandardOutput.bytes(Array(script.text.utf8))
  }
}
