import Glibc

/// The lines of standard input, an item each.
struct InputLines: Equatable {
  /// Those with anything in them, without what ends a line.
  let texts: [String]

  /// Throws `CommandFailure.input` for a line that is not UTF-8. Takes lines as other systems end them, and a mark of
  /// byte order before the first.
  init(_ bytes: [UInt8]) throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let rest = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    var texts: [String] = []
    for (index, line) in rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard let text = String(validating: line, as: UTF8.self) else {
        throw CommandFailure.input(.notUTF8(line: index + 1))
      }
      if text.contains(where: { !$0.isWhitespace }) { texts.append(text) }
    }
    self.texts = texts
  }

  /// Reads to the end.
  static func ofStandardInput() throws -> InputLines {
    do {
      return try InputLines(InputBytes.all(of: STDIN_FILENO, atMost: largest))
    } catch InputBytes.Problem.unreadable(let code) {
      throw CommandFailure.input(.unreadable(reason: String(cString: strerror(code)).lowercased()))
    } catch InputBytes.Problem.tooLong {
      throw CommandFailure.input(.tooLong)
    }
  }

  /// More than a list has, in bytes; an input that never ends is cut off here.
  private static let largest = 64 << 20
}

/// Why standard input could not be taken. Nothing was changed.
enum InputProblem: Error, Equatable {
  /// Counted from 1.
  case notUTF8(line: Int)
  case tooLong
  case unreadable(reason: String)
}
