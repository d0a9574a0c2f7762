import TableProtocol

/// Looks at everything a list depends on, one thing after the other, and changes nothing here or on the server.
struct Doctor {
  let settings: DoctorSettings
  /// UTC.
  let now: @Sendable () -> Timestamp

  /// Goes on after a failure, as far as what comes later can still be told.
  func examine(_ report: (Finding) -> Void) {
    let store = StoreCheck(settings: settings).run(report)
    ConfigurationCheck(settings: settings).run(report)
    EnvironmentCheck(environment: settings.environment).run(report)
    TerminalReview(environment: settings.environment).run(report)
    ServerCheck(settings: settings, store: store, now: now).run(report)
  }
}
