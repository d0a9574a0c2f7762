import Glibc
import Synchronization
import TableProtocol
import Terminal
import Words

/// Standard output and standard error, written whole and at once.
enum StandardOutput {
  private static let isRestricted = Atomic(false)
  private static let areErrorsRestricted = Atomic(false)
  /// It was said that a report could not be written: of a thousand lines one is enough.
  private static let saidReportFailed = Atomic(false)

  /// True if text for people on standard output is ASCII alone. Data stays as it is: JSON, exports, completions.
  private static var isASCII: Bool { isRestricted.load(ordering: .relaxed) }
  private static var hasASCIIErrors: Bool { areErrorsRestricted.load(ordering: .relaxed) }

  /// True if one of both is ASCII alone: most of what other languages than English write is none.
  static var isEnglish: Bool { isASCII || hasASCIIErrors }

  static func restrictToASCII() {
    isRestricted.store(true, ordering: .relaxed)
    areErrorsRestricted.store(true, ordering: .relaxed)
  }

  /// Restricts text to ASCII if `--ascii` is among the options, and each of both outputs if it is a terminal whose
  /// locale has no UTF-8.
  static func restrictAsNeeded(_ arguments: [String]) {
    if arguments.prefix(while: { $0 != "--" }).contains("--ascii") { return restrictToASCII() }
    let (isTerminal, hasTerminalErrors) = (isatty(STDOUT_FILENO) == 1, isatty(STDERR_FILENO) == 1)
    guard isTerminal || hasTerminalErrors, Charset.ofLocale() == .ascii else { return }
    isRestricted.store(isTerminal, ordering: .relaxed)
    areErrorsRestricted.store(hasTerminalErrors, ordering: .relaxed)
  }

  /// The width of standard output; nil if it is no terminal, or one too narrow to lay text out.
  static var columns: Int? { width(of: STDOUT_FILENO) }

  fileprivate static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= narrowest else { return nil }
    return Int(size.ws_col)
  }

  private static let narrowest = 20

  static func line(_ text: String) { line(text, hanging: 0) }

  /// On a terminal a line that is too wide goes on below itself, `hanging` columns in.
  static func line(_ text: String, hanging: Int) {
    write(shown(text + "\n", hanging: hanging), to: STDOUT_FILENO)
  }

  /// Prints text that a user may copy, such as a path or a note. A line that is too wide for the terminal stays whole,
  /// so that a copy of it has no line breaks.
  static func whole(_ text: String) {
    write(bytes(of: text + "\n", inASCII: isASCII), to: STDOUT_FILENO)
  }

  /// Says what a change did that is in the store already. If that can't be written the change is no failure: a script
  /// that tries again would make it twice.
  static func report(_ text: String) {
    write(shown(text + "\n"), to: STDOUT_FILENO, isReport: true)
  }

  /// The same in data, such as JSON, which is neither broken at a terminal nor put in ASCII.
  static func report(data: [UInt8]) {
    write(data, to: STDOUT_FILENO, isReport: true)
  }

  /// Prints what is nowhere else to be read. If that can't be written, `takeBack` runs and the program ends.
  static func only(_ text: String, takeBack: () -> Void) {
    guard let code = OpenFile.write(bytes(of: text + "\n", inASCII: isASCII), to: STDOUT_FILENO) else { return }
    takeBack()
    failed(code, STDOUT_FILENO, isReport: false)
    exit(ExitStatus.failed)
  }

  /// Lines for people that were put together as bytes.
  static func text(_ lines: [UInt8]) {
    bytes(isASCII || columns != nil ? shown(String(decoding: lines, as: UTF8.self)) : lines)
  }

  static func bytes(_ bytes: [UInt8]) {
    write(bytes, to: STDOUT_FILENO)
  }

  /// Prints sentences on standard error. A path, an address or an id in them does not steer the terminal.
  static func error(_ sentence: String) {
    write(shownError("ebb: " + sentence.printableLines + "\n"), to: STDERR_FILENO)
  }

  /// A question on standard error, and on the next line where the answer goes.
  static func question(_ question: String, _ choices: String) {
    write(shownError((question + "\n" + choices).printableLines), to: STDERR_FILENO)
  }

  private static func shown(_ text: String, hanging: Int = 0) -> [UInt8] {
    bytes(of: folded(text, on: STDOUT_FILENO, hanging: hanging), inASCII: isASCII)
  }

  private static func shownError(_ text: String) -> [UInt8] {
    bytes(of: folded(text, on: STDERR_FILENO), inASCII: hasASCIIErrors)
  }

  /// A terminal that is asked directly has the locale of the outputs that are terminals.
  fileprivate static func shown(_ text: String, atTerminal descriptor: Int32) -> [UInt8] {
    bytes(of: folded(text, on: descriptor), inASCII: isEnglish)
  }

  private static func folded(_ text: String, on descriptor: Int32, hanging: Int = 0) -> String {
    width(of: descriptor).map { TextWidth.folded(text, columns: $0, hanging: hanging) } ?? text
  }

  private static func bytes(of text: String, inASCII isASCII: Bool) -> [UInt8] {
    Array((isASCII ? Charset.ascii.encode(text) : text).utf8)
  }

  /// Stops without a word when nobody reads any more, as in `ebb list | head`. Output that can't be written
  /// for another reason ends the program: a script must not take half a list for a whole one.
  private static func failed(_ code: Int32, _ descriptor: Int32, isReport: Bool) {
    guard code != EPIPE, descriptor == STDOUT_FILENO else { return }
    let reason = ErrorMessages.catalogue.reason(ofSystem: code)
    if isReport {
      guard !saidReportFailed.exchange(true, ordering: .relaxed) else { return }
      return error(ErrorMessages.catalogue.text(.commandReportFailed, ["reason": reason]))
    }
    error(ErrorMessages.catalogue.text(.commandOutputFailed, ["reason": reason]))
    exit(ExitStatus.failed)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32, isReport: Bool = false) {
    if let code = OpenFile.write(bytes, to: descriptor) { failed(code, descriptor, isReport: isReport) }
  }
}

extension String {
  /// The text as ``printable`` gives it, with its line breaks kept.
  fileprivate var printableLines: String {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
      .joined(separator: "\n")
  }
}

/// A question that is answered with yes or no.
enum YesOrNo {
  /// False for any other answer, and for none. `choices` says what to type.
  static func isAgreed(_ question: String, _ choices: String) -> Bool {
    StandardOutput.question(question, choices)
    return isYes(readLine())
  }

  /// Asks at the terminal even if the input or the error output goes elsewhere.
  static func isAgreed(_ question: String, _ choices: String, at terminal: ControllingTerminal) -> Bool {
    terminal.write((question + "\n" + choices).printableLines)
    return isYes(terminal.line())
  }

  private static func isYes(_ answer: String?) -> Bool { ["y", "yes"].contains(answer?.lowercased()) }
}

/// The terminal that the program was started at, for a question whose answer can't come from standard input.
final class ControllingTerminal {
  private let descriptor: Int32

  /// Nil if nobody is there: none of the standard streams is a terminal, or there is no terminal to open.
  init?() {
    guard [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains(where: { isatty($0) == 1 }) else { return nil }
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  fileprivate func write(_ text: String) {
    _ = OpenFile.write(StandardOutput.shown(text, atTerminal: descriptor), to: descriptor)
  }

  /// Nil at the end of the input.
  fileprivate func line() -> String? {
    var bytes = [UInt8](repeating: 0, count: 1_024)
    var count = -1
    repeat { count = read(descriptor, &bytes, bytes.count) } while count < 0 && errno == EINTR
    guard count > 0 else { return nil }
    return String(decoding: bytes.prefix(count).prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
  }
}

/// A file that is open for writing.
enum OpenFile {
  /// Writes all bytes, as far as possible at once. Returns nil, or the `errno` of what failed.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { return errno }
        rest = rest.dropFirst(written)
      }
      return nil
    }
  }
}

/// A flat JSON object with its members in the order they are given: what `--json` prints.
struct JSONObject {
  private(set) var writer = JSONWriter(isForTerminal: true)

  init(_ members: KeyValuePairs<StaticString, FieldValue>) {
    writer.raw("{")
    writer.members(members)
    writer.raw("}")
  }

  var bytes: [UInt8] { writer.bytes }

  /// An array of them, a line each.
  static func array(_ objects: [JSONObject]) -> [UInt8] {
    Array("[".utf8) + Array(objects.map(\.bytes).joined(separator: Array(",\n ".utf8))) + Array("]\n".utf8)
  }
}

extension JSONWriter {
  /// The first members of an object, or those after a comma.
  mutating func members(_ members: KeyValuePairs<StaticString, FieldValue>) {
    var isFirst = true
    for (name, value) in members {
      member("\(name)", isFirst: isFirst)
      self.value(value)
      isFirst = false
    }
  }
}

extension FieldValue {
  init(_ text: String?) { self = text.map(FieldValue.text) ?? .null }
  init(_ number: Int) { self = .integer(Int64(number)) }
}
