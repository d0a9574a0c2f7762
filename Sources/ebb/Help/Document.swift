import CDocuments

/// A page, a script or the version, as it stands in the repository: bytes in the program.
enum Document {
  case version, readme, licence, changes, live, backups, security, syncRules, rowStates, wire, clients, exchange
  case architecture
  case bash, zsh, fish

  var text: String {
    String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
  }

  /// The version of the program, as `0.1.0`.
  static var programVersion: String { String(version.text.prefix { !$0.isWhitespace }) }

  private var file: document {
    switch self {
    case .version: document_version()
    case .readme: document_readme()
    case .licence: document_licence()
    case .changes: document_changes()
    case .live: document_live()
    case .backups: document_backups()
    case .security: document_security()
    case .syncRules: document_sync_rules()
    case .rowStates: document_row_states()
    case .wire: document_wire()
    case .clients: document_clients()
    case .exchange: document_exchange()
    case .architecture: document_architecture()
    case .bash: document_bash()
    case .zsh: document_zsh()
    case .fish: document_fish()
    }
  }

  /// The part of a page below a heading of the second level, with the heading, up to the next one. Nil if there is
  /// none.
  func section(_ heading: String) -> String? {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(of: Substring("## " + heading)) else { return nil }
    let rest = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
    return ([lines[start]] + rest).joined(separator: "\n")
  }
}
