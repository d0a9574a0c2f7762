import ArgumentParser
import Words

struct AddCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(
    .add, "add", aliases: ["a", "new"], examples: .add, more: .addMore)

  @OptionGroup var settings: SettingsOptions

  @Argument(help: .usage(.addText))
  var text: [String] = []

  var plain: PlainCommand {
    let task: PlainTask =
      text.isEmpty || text == ["-"]
      ? .addLines(isAsked: !text.isEmpty) : .add(text: text.joined(separator: " "))
    return PlainCommand(task, settings.flags)
  }
}

struct DoneCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(.done, "done", aliases: ["do"], examples: .done, more: .doneMore)

  @OptionGroup var settings: SettingsOptions
  @Argument(help: .usage(.handles))
  var handles: [String]

  var plain: PlainCommand { PlainCommand(.setComplete(handles, true), settings.flags) }
}

struct UndoneCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(.undone, "undone", aliases: ["reopen"], examples: .undone)

  @OptionGroup var settings: SettingsOptions
  @Argument(help: .usage(.undoneHandles))
  var handles: [String]

  var plain: PlainCommand { PlainCommand(.setComplete(handles, false), settings.flags) }
}

struct DeleteCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(
    .delete, "delete", aliases: ["rm", "del"], examples: .delete, more: .deleteMore)

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var asking: AskingOptions

  @Flag(name: .shortAndLong, help: .usage(.deleteYes))
  var yes = false

  @Argument(help: .usage(.handles))
  var handles: [String]

  var plain: PlainCommand { PlainCommand(.delete(handles, isSure: yes || asking.noInput), settings.flags) }
}

struct EditCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(.edit, "edit", aliases: ["e"], examples: .edit, more: .editMore)

  @OptionGroup var settings: SettingsOptions
  @OptionGroup var asking: AskingOptions

  @Flag(help: .usage(.editEditor))
  var editor = false

  @Argument(help: .usage(.editHandle))
  var handle: String
  @Argument(help: .usage(.editText))
  var text: [String] = []

  var plain: PlainCommand {
    let mayAsk = !asking.noInput
    // The library reads over a `--` and does not say where it was.
    let isText = CommandLine.arguments.contains("--")
    let task: PlainTask =
      editor || text.isEmpty
      ? .openEditor([handle] + text, mayAsk: mayAsk)
      : isText
        ? .edit(handle: handle, text: text.joined(separator: " "))
        : .editOrOpen(handle: handle, words: text, mayAsk: mayAsk)
    return PlainCommand(task, settings.flags)
  }
}

struct PriorityCommand: PlainlyRead {
  // The argument library takes the last argument for the one that repeats; here it is the first.
  static let configuration = CommandConfiguration.of(
    .pri, "pri", usage: "ebb pri [<options>] <handle> ... <letter>", examples: .pri)

  @OptionGroup var settings: SettingsOptions
  @Argument(help: .usage(.handles))
  var handle: String
  @Argument(help: .usage(.priLetter))
  var letter: [String]

  var plain: PlainCommand {
    let words = [handle] + letter
    return PlainCommand(.rewrite(words.dropLast(), .priority(words[words.count - 1])), settings.flags)
  }
}

struct NoPriorityCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(.depri, "depri", examples: .depri)

  @OptionGroup var settings: SettingsOptions
  @Argument(help: .usage(.handles))
  var handles: [String]

  var plain: PlainCommand { PlainCommand(.rewrite(handles, .noPriority), settings.flags) }
}

struct AppendCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(.append, "append", examples: .append)

  @OptionGroup var added: AddedWords

  var plain: PlainCommand { added.plain(CommandRewrite.append) }
}

struct PrependCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(.prepend, "prepend", examples: .prepend)

  @OptionGroup var added: AddedWords

  var plain: PlainCommand { added.plain(CommandRewrite.prepend) }
}

/// Words that are added to an item.
struct AddedWords: ParsableArguments {
  @OptionGroup var settings: SettingsOptions
  @Argument(help: .usage(.appendHandle))
  var handle: String
  @Argument(help: .usage(.appendText))
  var text: [String]

  fileprivate func plain(_ change: (String) -> CommandRewrite) -> PlainCommand {
    let change = change(text.joined(separator: " "))
    let isText = CommandLine.arguments.contains("--")
    return PlainCommand(isText ? .rewrite([handle], change) : .rewriteUnlessHandles(handle, change), settings.flags)
  }
}

struct UndoCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(.undo, "undo", examples: .undo, more: .undoMore)

  @OptionGroup var settings: SettingsOptions

  var plain: PlainCommand { PlainCommand(.undo, settings.flags) }
}

struct RedoCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(.redo, "redo", examples: .redo)

  @OptionGroup var settings: SettingsOptions

  var plain: PlainCommand { PlainCommand(.redo, settings.flags) }
}
