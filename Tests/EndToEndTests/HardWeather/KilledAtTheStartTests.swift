import Foundation
import Testing

@Suite("A program killed while it made its store", .timeLimit(.minutes(5)))
struct KilledAtTheStartTests {
  /// What is on the disk when the very first command was killed while it turned the new file into write-ahead mode:
  /// a first page, and a journal that says to take it back (SQLite file format, 1.3 and 3).
  private static let page = [
    Array("SQLite format 3\0".utf8), [0x10, 0, 2, 2, 0, 0x40, 0x20, 0x20, 0, 0, 0, 1, 0, 0, 0, 1],
    zeros(63), [1, 0, 0x2E, 0x63, 1, 0x0D, 0, 0, 0, 0, 0x10, 0, 0], zeros(3988),
  ].flatMap(\.self)
  private static let journal = [
    [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], zeros(12), [0, 0, 2, 0, 0, 0, 0x10, 0], zeros(484),
  ].flatMap(\.self)

  @Test("the next command takes back what it left, and works")
  func nextCommand() async throws {
    try await Workspace.use { workspace in
      let device = Device(workspace)
      try Data(Self.page).write(to: URL(fileURLWithPath: device.store))
      try Data(Self.journal).write(to: URL(fileURLWithPath: device.store + "-journal"))
      _ = try await device.add("milk")
      #expect(try await device.items().map(\.text) == ["milk"])
    }
  }

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
}
