import Foundation
import Testing

@Suite("The page about the states of a row")
struct RowTablePageTests {
  private static let isWritten = ProcessInfo.processInfo.environment["EBB_UPDATE_DOCS"] == "1"
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../\(RowTablePage.path)").standardized

  @Test("is what the table prints")
  func page() throws {
    if Self.isWritten {
      try FileManager.default.createDirectory(
        at: Self.file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(RowTablePage.text.utf8).write(to: Self.file)
    }
    let page = try String(contentsOf: Self.file, encoding: .utf8)
    #expect(page == RowTablePage.text, "EBB_UPDATE_DOCS=1 prints the page again")
  }
}
