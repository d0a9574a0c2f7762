/// The trees of files on a page: indented lines with the folders of a room, and what is in each.
///
///     Sources/Room/
///       Folder/    words that name Types, and go on
///                  in the next line
///         TypeOrFile, Other     words that name none
struct FileTree {
  /// A file or a type that a tree names.
  struct Name: Hashable {
    let text: String
    /// From the root of the repository on, with a slash at its end; nil if the tree does not say.
    let folder: String?
  }

  private(set) var names: [Name] = []
  /// As `Sources/Room/`.
  private var room: String?
  /// The folder of the line before.
  private var folder: String?
  /// True if words about a folder may go on in this line.
  private var isInWords = false
  /// The names of all folders of the page's trees: in words they are no types.
  private let folders: Set<String>

  init(page text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    folders = Set(lines.compactMap { Self.folder(in: $0)?.name })
    for line in lines { read(line) }
  }

  private mutating func read(_ line: Substring) {
    let isContinued = isInWords && line.hasPrefix(String(repeating: " ", count: 10))
    isInWords = isContinued
    if let match = line.wholeMatch(of: /^ {4}(Sources\/[A-Za-z]+\/)/) {
      (room, folder) = (String(match.output.1), nil)
    } else if !line.hasPrefix("      ") {
      (room, folder) = (nil, nil)
    }
    if isContinued {
      read(words: line)
    } else if let match = line.prefixMatch(of: /^ {8}([A-Z][A-Za-z+]+(?:, [A-Z][A-Za-z+]+)*) {2,}/) {
      names += match.output.1.split(separator: ", ").map { Name(text: String($0), folder: folder) }
    } else if let room, let (name, words) = Self.folder(in: line) {
      folder = "\(room)\(name)/"
      isInWords = true
      read(words: words)
    }
  }

  private static func folder(in line: Substring) -> (name: String, words: Substring)? {
    line.wholeMatch(of: /^ {6}([A-Z][A-Za-z]*)\/ +(.*)/).map { (String($0.output.1), $0.output.2) }
  }

  /// Each word that begins with a capital is a name, but for parts of a path. "Name in Folder/" is about another folder.
  private mutating func read(words: Substring) {
    for match in words.matches(of: /([A-Za-z\/]*\b)([A-Z][A-Za-z+]+)\b(?!\/)(?: in ([A-Z][A-Za-z]*)\/)?/) {
      let text = String(match.output.2)
      guard match.output.1.isEmpty, !folders.contains(text) else { continue }
      let other = match.output.3.flatMap { other in room.map { "\($0)\(other)/" } }
      names.append(Name(text: text, folder: other ?? folder))
    }
  }
}
