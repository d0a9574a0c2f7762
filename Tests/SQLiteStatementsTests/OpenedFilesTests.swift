import FoundationEssentials
import SQLiteStatements
import Support
import Testing

@Suite("The files that were opened")
struct OpenedFilesTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("list/a.sqlite")
    try FileManager.default.createDirectory(atPath: folder.file("list"), withIntermediateDirectories: false)
    try write("database", to: path)
  }

  private var log: String { path + "-wal" }

  /// Writes into the file that is there, or makes one.
  private func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  private func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

  private func move(_ path: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path, toPath: other)
  }

  /// Puts another file in the place of one. The old one stays elsewhere, so that its number is not given out again.
  private func replace(_ path: String) throws {
    try move(path, to: path + ".old")
    try write("another", to: path)
  }

  private func opened(hasLog: Bool = true) throws -> OpenedFiles {
    let file = OpenedFiles.Identity(path: path)
    if hasLog { try write("log", to: log) }
    return OpenedFiles(path: path, file: file)
  }

  @Test("are there as long as nobody removes or replaces one, whatever is written to them")
  func written() throws {
    let files = try opened()
    for part in [path, log] { try write("something else", to: part) }
    #expect(files.areThere && files.gone == nil && !files.isLogGone)
  }

  @Test("a file that was removed or replaced is gone, whatever became of its log", arguments: [false, true])
  func fileGone(isReplaced: Bool) throws {
    let files = try opened()
    if isReplaced { try replace(path) } else { try remove(path) }
    #expect(!files.areThere && files.gone == path && !files.isLogGone)
    try remove(log)
    #expect(!files.areThere && files.gone == path && !files.isLogGone)
  }

  @Test("a log that was removed or replaced is gone, and the file is not", arguments: [false, true])
  func logGone(isReplaced: Bool) throws {
    let files = try opened()
    if isReplaced { try replace(log) } else { try remove(log) }
    #expect(!files.areThere && files.gone == log && files.isLogGone)
  }

  @Test("one that was put back is there again")
  func putBack() throws {
    let files = try opened()
    for part in [path, log] {
      try replace(part)
      #expect(!files.areThere && files.gone == part)
      try remove(part)
      #expect(!files.areThere && files.gone == part)
      try move(part + ".old", to: part)
      #expect(files.areThere && files.gone == nil && !files.isLogGone)
    }
  }

  @Test("a log that was not there is not missed, also if one comes and goes later")
  func withoutLog() throws {
    let files = try opened(hasLog: false)
    #expect(files.areThere && files.gone == nil && !files.isLogGone)
    try write("log", to: log)
    #expect(files.areThere && files.gone == nil && !files.isLogGone)
    try remove(log)
    #expect(files.areThere && files.gone == nil && !files.isLogGone)
  }

  @Test("a file is gone if another one came in its place while it was opened, or one where none was")
  func replacedWhileOpened() throws {
    let file = OpenedFiles.Identity(path: path)
    try replace(path)
    #expect(OpenedFiles(path: path, file: file).gone == path)
    #expect(OpenedFiles(path: path, file: nil).gone == path)
  }

  @Test("a log has pages if it is longer than its header of 32 bytes", arguments: [nil, 0, 32, 33] as [Int?])
  func pagesInLog(size: Int?) throws {
    if let size { try write(String(repeating: "x", count: size), to: log) }
    #expect(OpenedFiles.logSize(of: path) == size)
    #expect(OpenedFiles.hasPagesInLog(of: path) == (size == 33))
  }

  @Test("if the system can't say whether they are there, they count neither as there nor as gone")
  func unknown() throws {
    let files = try opened()
    try move(folder.file("list"), to: folder.file("aside"))
    try write("no folder", to: folder.file("list"))
    #expect(!files.areThere && files.gone == nil && !files.isLogGone)
  }
}
