import Exchange
import Foundation
import TodoCore

/// The lists that other programs wrote: see `Files/README.md`.
enum Files {
  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Files")
  }

  static func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: folder.appending(path: name))) }

  static func read(_ name: String) throws -> (format: ExchangeFormat, result: ImportResult) {
    try ImportFile.read(bytes(name), name: name)
  }

  /// All files of a folder.
  static func readAll(_ folder: String) throws -> ImportResult {
    let names = try FileManager.default.contentsOfDirectory(atPath: self.folder.appending(path: folder).path).sorted()
    return try names.reduce(into: ImportResult()) { $0.append(try read("\(folder)/\($1)").result, file: $1) }
  }
}

extension ImportResult {
  var portable: [PortableItem] { items.map(\.item) }
  var texts: [String] { portable.map(\.text) }

  /// Reads a text as a file of this format.
  static func of(_ text: String, _ format: ExchangeFormat) throws -> ImportResult {
    try ImportFile.read(Array(text.utf8), name: "-", format: format).result
  }
}

extension ExportFile {
  static func text(_ items: [PortableItem], _ format: ExchangeFormat) -> String {
    var file = ExportFile(format)
    let start = file.start
    // In several runs, as a long list is written.
    let middle = items.flatMap { file.next([$0]) }
    return String(decoding: start + middle + file.end, as: UTF8.self)
  }
}
