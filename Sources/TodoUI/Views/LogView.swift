import OfflineSync
import TableProtocol
import Terminal
import TodoCore
import Words

extension ViewContext {
  /// When it was asked, how it was answered and in what time, and what it was.
  func line(of request: RequestRecord) -> Line {
    var line = Line(LocalMoment(request.startedAt.date).time(), theme.quiet)
    line.append("  " + outcome(of: request), request.outcome.isGood ? theme.good : theme.bad)
    line.pad(to: 7 + max(9, TextWidth.columns(of: text.text(.logFailed))))
    line.append(
      String(repeating: " ", count: max(0, 7 - String(request.milliseconds).count)) + "\(request.milliseconds) ms")
    line.append("  " + request.verb + " " + request.path)
    return line
  }

  func whole(_ request: RequestRecord) -> [Line] {
    let reason: String
    if case .failed(let words) = request.outcome { reason = words } else { reason = "" }
    let sizes = text.text(
      .logSizes, ["sent": text.bytes(request.bytesSent), "received": text.bytes(request.bytesReceived)])
    return wrapped(request.path, after: Line(request.verb, theme.quiet))
      + wrapped([reason, sizes].filter { !$0.isEmpty }.joined(separator: glyphs.separator), after: Line(), theme.quiet)
  }

  private func outcome(of request: RequestRecord) -> String {
    switch request.outcome {
    case .status(let status): String(status)
    case .failed: text.text(.logFailed)
    }
  }
}

extension RequestRecord.Outcome {
  /// 304 and what begins with 2 are as hoped for.
  fileprivate var isGood: Bool {
    if case .status(let status) = self { (200..<300).contains(status) || status == 304 } else { false }
  }
}
