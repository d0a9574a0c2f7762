/// The pages of Resources/docs, read as far as links go.
struct Pages {
  /// The text of each page, by the name of its file.
  let texts: [String: String]

  /// The anchors of each page. One that is there twice is there twice.
  private let anchors: [String: [String]]

  init(_ texts: [String: String]) {
    self.texts = texts
    anchors = texts.mapValues { text in text.matches(of: /<a id="([^"]*)"><\/a>/).map { String($0.output.1) } }
  }

  func has(_ anchor: String, on page: String) -> Bool {
    anchors[page]?.contains(anchor) == true
  }

  func has(_ citation: Citation) -> Bool {
    has(citation.anchor, on: citation.page)
  }

  /// Anchors that are not unique on their page, or not in lower case, as citations look for them.
  var wrongAnchors: [String] {
    anchors.sorted { $0.key < $1.key }.flatMap { page, ids in
      let counts = Dictionary(ids.map { ($0, 1) }, uniquingKeysWith: +)
      return counts.filter { $0.value > 1 || $0.key != $0.key.lowercased() }.keys.sorted().map { "\(page): \($0)" }
    }
  }

  /// Links to a page or an anchor that is not there. Only links within Resources/docs are looked at.
  var brokenLinks: [String] {
    texts.sorted { $0.key < $1.key }.flatMap { page, text in
      text.matches(of: /\]\(([a-z0-9-]+\.md)?(?:#([^)]*))?\)/).compactMap { link in
        let target = link.output.1.map(String.init) ?? page
        guard texts[target] != nil else { return "\(page): \(target)" }
        guard let anchor = link.output.2.map(String.init), !has(anchor, on: target) else { return nil }
        return "\(page): \(target)#\(anchor)"
      }
    }
  }

  /// Swift files that a page names in backquotes and that no path of the sources ends with.
  func missingFiles(among paths: [String]) -> [String] {
    texts.sorted { $0.key < $1.key }.flatMap { page, text in
      text.matches(of: /`([A-Za-z+\/]+\.swift)`/).map { String($0.output.1) }
        .filter { name in !paths.contains { "/\($0)".hasSuffix("/\(name)") } }.map { "\(page): \($0)" }
    }
  }

  /// Names in a tree of files that are neither a file nor a type of the sources, or not in the folder that has them in
  /// the tree.
  func missingNames(among sources: [Repository.Source]) -> [String] {
    texts.sorted { $0.key < $1.key }.flatMap { page, text in
      FileTree(page: text).names.filter { name in
        !sources.filter { $0.path.hasPrefix(name.folder ?? "") }.contains {
          $0.path.hasSuffix("/\(name.text).swift") || Self.defines(name.text, in: $0)
        }
      }
      .map { name in "\(page): \(name.folder.map { "\($0) " } ?? "")\(name.text)" }
    }
  }

  private static func defines(_ type: String, in source: Repository.Source) -> Bool {
    ["struct", "enum", "protocol", "class"].contains { kind in
      source.code.contains("\(kind) \(type) ") || source.code.contains("\(kind) \(type):")
    }
  }
}
