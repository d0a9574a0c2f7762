import Foundation

/// Where the program under test is.
enum Binary {
  /// The `ebb` that `EBB_BIN` names, or the one built beside these tests.
  static func ebb() throws -> String {
    if let named = ProcessInfo.processInfo.environment["EBB_BIN"] { return named }
    guard let folder = buildFolder() else {
      throw Failure("no ebb is built beside these tests: build it with `swift build`, or name one in EBB_BIN")
    }
    return folder.appendingPathComponent("ebb").path
  }

  /// The example that is built beside these tests.
  static func shopping() throws -> String {
    guard let folder = buildFolder() else { throw Failure("no example is built beside these tests") }
    return folder.appendingPathComponent("shopping").path
  }

  /// The tests run in a helper of the toolchain that is given the path of their bundle, or are a program themselves.
  private static func buildFolder() -> URL? {
    CommandLine.arguments
      .filter { $0.hasSuffix(".xctest") || $0 == CommandLine.arguments.first }
      .map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
      .first { FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("ebb").path) }
  }
}
