import Exchange
import TableProtocol

#if canImport(Glibc)
  import Glibc
#endif

// The parsers of what comes from outside, for libFuzzer: it finds bytes that bring one of them down, or that it takes
// for ever with. Resources/run/fuzz.sh compiles this together with the rooms that have them.

/// What `EBB_FUZZ` names: the bytes go to that parser.
private enum Parser: String {
  case filter, json, batch
  case todotxt, list, markdown, ics, csv, taskwarrior

  static let chosen = getenv("EBB_FUZZ").flatMap { Parser(rawValue: String(cString: $0)) } ?? .filter

  func read(_ bytes: [UInt8]) {
    switch self {
    case .filter:
      let text = String(decoding: bytes, as: UTF8.self)
      guard let filter = try? FilterParser.parse(text) else { return }
      // What was read is written in a form that is read as the same.
      let written = FilterWriter(.v3).text(of: filter)
      let again = try? FilterParser.parse(written)
      if let again { precondition(FilterWriter(.v3).text(of: again) == written, "\(text)\n\(written)") }
    case .json:
      guard var reader = try? JSONReader(bytes) else { return }
      _ = try? reader.raw()
      _ = try? Record(json: bytes)
    case .batch: _ = try? BatchBody.requests(in: bytes, atMost: 1_000)
    case .todotxt: readList(bytes, .todotxt)
    case .list: readList(bytes, .json)
    case .markdown: readList(bytes, .markdown)
    case .ics: readList(bytes, .ics)
    case .csv: readList(bytes, .csv)
    case .taskwarrior: readList(bytes, .taskwarrior)
    }
  }

  /// As this format, and as the one that the bytes look like. What was read is written in every format.
  private func readList(_ bytes: [UInt8], _ format: ExchangeFormat) {
    _ = try? ImportFile.read(bytes, name: "")
    guard let result = try? ImportFile.read(bytes, name: "", format: format).result else { return }
    for written in ExchangeFormat.written {
      var file = ExportFile(written)
      let bytes = file.start + file.next(result.items.map(\.item)) { _ in nil } + file.end
      // What Ebb writes it reads, though not always as the same: a calendar knows no empty text.
      precondition(
        result.items.isEmpty || (try? ImportFile.read(bytes, name: "", format: written)) != nil, "\(written)")
    }
  }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func readFuzzedBytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Parser.chosen.read(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
