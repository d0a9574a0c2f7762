/// The order of the folders of a room, from the lowest up: a folder uses types of itself and of those before it.
struct FolderOrder {
  /// The rooms whose folders have an order.
  static let all = [
    FolderOrder(room: "OfflineSync", folders: ["Row", "Query", "Ports", "Live", "Sync"]),
    FolderOrder(room: "TableStorage", folders: ["Ports", "SQLite", "PostgreSQL", "Keeping"]),
    FolderOrder(
      room: "TableServer",
      folders: ["Access", "Requests", "Rules", "Answers", "Routes", "Batch", "Pages", "Serving"]),
  ]

  let room: String
  let folders: [String]

  /// Uses of a type of a later folder, and folders that have no place in the order.
  ///
  /// A type is known by its name. What an extension adds to a type of another folder is not seen, nor are functions:
  /// this finds a folder that leans on a later one, not every line that does.
  func findings(in sources: [Repository.Source]) -> [String] {
    let files = sources.filter { $0.room == room }.map { SwiftFile($0) }
    var homes: [String: Set<String>] = [:]
    for file in files {
      for name in file.types { homes[name, default: []].insert(file.folder) }
    }
    return files.flatMap { file -> [String] in
      guard let place = folders.firstIndex(of: file.folder) else {
        return ["\(file.path): the folder '\(file.folder)' has no place in the order of \(room)"]
      }
      let allowed = Set(folders[...place])
      return file.uses.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.compactMap { name, line in
        guard let home = homes[name], home.isDisjoint(with: allowed) else { return nil }
        return "\(file.path):\(line): \(file.folder) uses \(name) of \(home.sorted().joined(separator: ", "))"
      }
    }
  }
}

/// A Swift file as far as its types go.
private struct SwiftFile {
  let path: String
  /// The first folder within the room; empty for a file beside the folders.
  let folder: String
  /// The types it defines at its top level that other files see.
  private(set) var types: Set<String> = []
  /// The names of types it uses, with the first line of each. Those it defines itself, at any level, are not among
  /// them.
  private(set) var uses: [String: Int] = [:]

  init(_ source: Repository.Source) {
    path = source.path
    let parts = source.path.split(separator: "/").dropFirst(2)
    folder = parts.count > 1 ? parts.first.map(String.init) ?? "" : ""
    var own: Set<String> = []
    let code = source.code.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in code.enumerated() {
      let words = Self.words(of: line)
      if let (name, isPrivate) = Self.definition(words) {
        own.insert(name)
        if !isPrivate, line.first?.isWhitespace == false { types.insert(name) }
      }
      for word in words where word.first?.isUppercase == true && uses[String(word)] == nil {
        uses[String(word)] = index + 1
      }
    }
    for name in own { uses[name] = nil }
  }

  private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "actor", "typealias"]

  /// The name of the type that the line defines.
  private static func definition(_ words: [Substring]) -> (name: String, isPrivate: Bool)? {
    guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
      words[..<kind].allSatisfy({ $0.first?.isLowercase == true }), words[kind + 1].first?.isUppercase == true
    else { return nil }
    let isPrivate = words[..<kind].contains { $0 == "private" || $0 == "fileprivate" }
    return (String(words[kind + 1]), isPrivate)
  }

  /// Identifiers that no dot precedes: a type within another is named through that.
  private static func words(of line: Substring) -> [Substring] {
    line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.filter { word in
      word.startIndex == line.startIndex || line[line.index(before: word.startIndex)] != "."
    }
  }
}
