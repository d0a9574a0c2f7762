import CoreMetrics
import Synchronization

/// Figures as Prometheus reads them (its text format, 0.0.4).
///
/// A factory of its own for each server: two in one process do not count each other's requests. Times are histograms in
/// seconds. Measurements have few labels with few values each; more series than that are not kept.
final class PrometheusMetrics: MetricsFactory, Sendable {
  static let contentType = "text/plain; version=0.0.4; charset=utf-8"
  /// In seconds.
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  private static let mostSeries = 1_000

  private struct Key: Hashable {
    let name: String
    /// As they are written, without braces.
    let labels: String
  }

  private enum Kind: String { case counter, gauge, histogram }

  private struct State {
    var kinds: [String: Kind] = [:]
    var series: [Key: Series] = [:]
  }

  private let help: [String: String]
  private let state = Mutex(State())

  /// `help` says what the figure of each name is.
  init(help: [String: String]) { self.help = help }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions, .counter)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions, .gauge)
  }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    series(label, dimensions, aggregate ? .histogram : .gauge)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions, .histogram)
  }

  /// Keeps the counts: a series that began again from 0 would look like a restart.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  private func series(_ name: String, _ labels: [(String, String)], _ kind: Kind) -> Series {
    let text = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    return state.withLock { state in
      let key = Key(name: name, labels: text)
      if let known = state.series[key] { return known }
      let series = Series()
      if state.series.count < Self.mostSeries {
        state.series[key] = series
        state.kinds[name] = kind
      }
      return series
    }
  }

  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  /// All of it, each figure in the order of its name.
  var text: String {
    let (kinds, series) = state.withLock { ($0.kinds, $0.series) }
    let byName = Dictionary(grouping: series.keys, by: \.name)
    var lines: [String] = []
    for (name, keys) in byName.sorted(by: { $0.key < $1.key }) {
      let kind = kinds[name] ?? .gauge
      if let help = help[name] { lines.append("# HELP \(name) \(help)") }
      lines.append("# TYPE \(name) \(kind.rawValue)")
      for key in keys.sorted(by: { $0.labels < $1.labels }) {
        guard let value = series[key]?.value else { continue }
        lines += kind == .histogram ? Self.histogram(key, value) : [Self.line(key.name, key.labels, value.sum)]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func histogram(_ key: Key, _ value: Series.Value) -> [String] {
    let comma = key.labels.isEmpty ? "" : ","
    var total = 0
    var lines: [String] = []
    for (bound, count) in zip(bounds.map { "\($0)" } + ["+Inf"], value.counts) {
      total += count
      lines.append("\(key.name)_bucket{\(key.labels)\(comma)le=\"\(bound)\"} \(total)")
    }
    return lines + [
      line("\(key.name)_sum", key.labels, value.sum), line("\(key.name)_count", key.labels, Double(total)),
    ]
  }

  private static func line(_ name: String, _ labels: String, _ value: Double) -> String {
    let number = Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    return "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(number)"
  }
}

/// One series of figures.
private final class Series: CounterHandler, MeterHandler, RecorderHandler, TimerHandler, Sendable {
  struct Value {
    /// Of all that was added or recorded; the last value of a gauge.
    var sum = 0.0
    /// How many values are not above each bound, and above all of them.
    var counts = Array(repeating: 0, count: PrometheusMetrics.bounds.count + 1)
  }

  private let state = Mutex(Value())

  var value: Value { state.withLock { $0 } }

  func increment(by amount: Int64) { state.withLock { $0.sum += Double(amount) } }
  func reset() { state.withLock { $0 = Value() } }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { state.withLock { $0.sum = value } }
  func increment(by amount: Double) { state.withLock { $0.sum += amount } }
  func decrement(by amount: Double) { state.withLock { $0.sum -= amount } }
  func record(_ value: Int64) { record(Double(value)) }
  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }

  func record(_ value: Double) {
    let place = PrometheusMetrics.bounds.firstIndex { value <= $0 } ?? PrometheusMetrics.bounds.count
    state.withLock { state in
      state.sum += value
      state.counts[place] += 1
    }
  }
}
