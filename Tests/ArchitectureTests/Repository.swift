import Foundation

/// The repository these tests were built from.
struct Repository {
  let root: URL

  init(file: String = #filePath) {
    root = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// One Swift file of a room.
  struct Source {
    let room: String
    /// From the root on: `Sources/Terminal/Key.swift`.
    let path: String
    let text: String
    /// The text without its comments, and with strings emptied.
    let code: String

    init(room: String, path: String, text: String) {
      self.room = room
      self.path = path
      self.text = text
      code = SourceText.withoutComments(text)
    }
  }

  /// Read once: several tests look at all sources.
  private static let sources = Result { try Repository().readSources() }

  /// The folders of Sources.
  func rooms() throws -> [String] {
    try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: [.isDirectoryKey])
      .filter { try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true }
      .map(\.lastPathComponent)
  }

  /// The Swift files of Sources.
  func swiftFiles() throws -> [Source] { try Self.sources.get() }

  private func readSources() throws -> [Source] {
    try rooms().flatMap { room in
      let folder = sources.appendingPathComponent(room)
      return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }.map {
        name in
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        return Source(room: room, path: "Sources/\(room)/\(name)", text: text)
      }
    }
  }

  /// The Swift files of Tests; the room is the folder below it.
  func testFiles() throws -> [Source] {
    let tests = root.appendingPathComponent("Tests").resolvingSymlinksInPath()
    return try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter { $0.hasSuffix(".swift") }.map {
      name in
      let text = try String(contentsOf: tests.appendingPathComponent(name), encoding: .utf8)
      return Source(room: String(name.prefix { $0 != "/" }), path: "Tests/\(name)", text: text)
    }
  }

  /// The pages of Resources/docs.
  func pages() throws -> Pages {
    let folder = root.appendingPathComponent("Resources/docs").resolvingSymlinksInPath()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
    let texts = try names.map { name in
      (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
    }
    return Pages(Dictionary(texts) { first, _ in first })
  }

  func readme() throws -> String {
    try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
  }

  private var sources: URL { root.appendingPathComponent("Sources").resolvingSymlinksInPath() }
}
