/// What `ebb doctor` looks at, in this order; the names are those of `--json`.
package enum DoctorCheck: String, CaseIterable, Sendable {
  case store, contents, version, space, privacy, changes, conflicts
  case configuration, settings, token, environment
  case terminal, charset, colors, language
  case server, name, connection, encryption, answer, tableServer, signIn
  case account, clock, lastSync, agreement
}
