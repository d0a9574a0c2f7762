import ArgumentParser
import FoundationEssentials
import Terminal
import TodoCore
import Words

/// `ebb show`: an item with its note, and all that is known of it.
struct ShowCommand: PlainlyRead {
  static let configuration = CommandConfiguration.of(
    .show, "show", aliases: ["info", "view"], examples: .show, more: .showMore)

  @OptionGroup var settings: SettingsOptions

  @Flag(help: .usage(.jsonArray))
  var json = false

  @Argument(help: .usage(.handles))
  var handles: [String]

  var plain: PlainCommand { PlainCommand(.show(handles, asJSON: json), settings.flags) }
}

/// An item as `ebb show` prints it: its line as in `ebb list`, the note below it, and what is known of it, each with
/// its name.
enum ItemDescription {
  /// Columns before the note and the facts.
  private static let indent = "  "

  static func print(_ named: NamedItems, asJSON: Bool) throws {
    guard !asJSON else {
      var objects = ItemObjects(handles: try named.list.handles())
      StandardOutput.bytes(objects.next(named.items.map(\.item)) + objects.end)
      return
    }
    let details = try named.items.compactMap { try named.list.detail(of: $0.item.id) }
    StandardOutput.whole(details.map { text(of: $0, named.layout) }.joined(separator: "\n\n"))
  }

  private static func text(of detail: ItemDetail, _ layout: OutputLayout) -> String {
    let (now, item) = (Date(), detail.item)
    let note = item.hasNote ? ItemText(item.text).note.split(separator: "\n", omittingEmptySubsequences: false) : []
    let facts = ErrorMessages.catalogue.facts(
      of: detail, now: now, today: CalendarDay(now), hasServer: layout.hasServer)
    let width = facts.map { TextWidth.columns(of: $0.0) }.max() ?? 0
    let lines = facts.map { name, words in
      let pad = String(repeating: " ", count: width - TextWidth.columns(of: name))
      let line = indent + layout.paint(name, .dim) + pad + indent + words.printable
      return layout.columns.map { TextWidth.folded(line, columns: $0) } ?? line
    }
    // A note may have commands and paths in it: it keeps its own lines.
    let written = note.map { indent + indent + String($0.replacing("\t", with: "    ")).printable }
    return ([layout.line(item, handle: detail.handle)] + written + lines).joined(separator: "\n")
  }
}
