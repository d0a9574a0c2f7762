import Foundation

/// Certificates for 127.0.0.1 of an authority of their own, which `openssl` makes for one test.
struct TestCertificates: Sendable {
  let workspace: Workspace
  /// The certificate of the authority.
  var authority: String { workspace.path("ca.pem") }

  init(_ workspace: Workspace) async throws {
    self.workspace = workspace
    try await openssl(
      ["req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=Ebb tests", "-keyout", workspace.path("ca.key")]
        + Self.newKey + ["-out", authority])
  }

  /// The options for a server with the certificate of that name.
  func words(_ name: String) -> [String] { ["--certificate", certificate(name), "--key", key(name)] }

  func certificate(_ name: String) -> String { workspace.path("\(name).pem") }
  func key(_ name: String) -> String { workspace.path("\(name).key") }

  /// Makes a certificate and its key, or replaces them. It has expired if the days are negative.
  func make(
    _ name: String, subject: String, for hosts: String = "IP:127.0.0.1,DNS:localhost", days: Int = 1
  ) async throws {
    let (request, names) = (workspace.path("\(name).csr"), workspace.path("\(name).san"))
    try await openssl(
      ["req", "-nodes", "-subj", "/CN=\(subject)", "-keyout", key(name), "-out", request] + Self.newKey)
    try Data("subjectAltName=\(hosts)\n".utf8).write(to: URL(fileURLWithPath: names))
    try await openssl([
      "x509", "-req", "-days", String(days), "-in", request, "-CA", authority, "-CAkey", workspace.path("ca.key"),
      "-CAcreateserial", "-extfile", names, "-out", certificate(name),
    ])
  }

  /// Adds a certificate to the file of another one: a server with that one then sends both.
  func append(_ name: String, to other: String) throws {
    let files = try [other, name].map { try Data(contentsOf: URL(fileURLWithPath: certificate($0))) }
    try (files[0] + files[1]).write(to: URL(fileURLWithPath: certificate(other)))
  }

  private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

  private func openssl(_ words: [String]) async throws {
    let outcome = try await CommandRunner(workspace: workspace).run(["openssl"] + words)
    guard outcome.status == 0 else { throw Failure("\(outcome)") }
  }
}
