import Words

/// A page that `ebb help` can open beside its commands, in the order of its list.
enum HelpTopic: String, CaseIterable {
  case tour, keys, filters, commands, settings, exchange, sync, live, server, backups, security, changes
  case rules, rows, wire, clients, architecture, library, licence

  /// The page for a terminal with so many columns. That of the filters has columns of its own, as in `ebb list --help`.
  func page(width: Int) -> String { self == .filters ? page : MarkdownPage(page, width: width).text }

  /// Markdown, but for the filters. The sections of the README are found by their headings.
  var page: String {
    switch self {
    case .tour: Self.readme("A tour of five minutes")
    case .keys: Self.readme("Keys")
    case .filters: ErrorMessages.usage(.listMore)
    case .commands: Self.readme("Commands")
    case .settings: Self.readme("Settings")
    case .sync: Self.readme("How sync works")
    case .server: Self.readme("Your own server")
    case .library: Self.readme("The library")
    case .live: Document.live.text
    case .backups: Document.backups.text
    case .security: Document.security.text
    case .changes: Document.changes.text
    case .rules: Document.syncRules.text
    case .rows: Document.rowStates.text
    case .wire: Document.wire.text
    case .clients: Document.clients.text
    case .exchange: Document.exchange.text
    case .architecture: Document.architecture.text
    case .licence: Document.licence.text
    }
  }

  /// Its subject, in a few words of the user's language.
  var summary: String { ErrorMessages.catalogue.text(key) }

  private static func readme(_ heading: String) -> String { Document.readme.section(heading) ?? "" }

  private var key: HelpKey {
    switch self {
    case .tour: .topicTour
    case .keys: .topicKeys
    case .filters: .topicFilters
    case .commands: .topicCommands
    case .settings: .topicSettings
    case .sync: .topicSync
    case .live: .topicLive
    case .server: .topicServer
    case .backups: .topicBackups
    case .security: .topicSecurity
    case .changes: .topicChanges
    case .rules: .topicRules
    case .rows: .topicRows
    case .wire: .topicWire
    case .clients: .topicClients
    case .exchange: .topicExchange
    case .architecture: .topicArchitecture
    case .library: .topicLibrary
    case .licence: .topicLicence
    }
  }

  /// The topics with their summaries, a line each.
  static var list: String {
    let width = (allCases.map(\.rawValue.count).max() ?? 0) + 3
    let lines = allCases.map { topic in
      "  " + topic.rawValue + String(repeating: " ", count: width - topic.rawValue.count) + topic.summary
    }
    let words = ErrorMessages.catalogue
    let language = words.text(.topicsLanguage)
    return ([words.text(.topics)] + lines + (language.isEmpty ? [] : ["", language])).joined(separator: "\n")
  }
}
