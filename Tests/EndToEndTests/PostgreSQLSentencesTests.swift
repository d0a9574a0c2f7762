import Foundation
import Support
import Testing

@Suite(
  "A server that can't use its PostgreSQL", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: PostgreSQLCluster.isInstalled && FileManager.default.isExecutableFile(atPath: "/usr/bin/psql")))
struct PostgreSQLSentencesTests {
  /// One way to go wrong, and words of the sentence that says so.
  private struct Row {
    var user = "postgres"
    var database = "list"
    var password: String?
    let says: [String]
  }

  private static let statements = """
    CREATE ROLE nobody_may LOGIN PASSWORD 'right'; CREATE ROLE rejected LOGIN; CREATE ROLE bare LOGIN;
    CREATE ROLE reader LOGIN; CREATE ROLE calm LOGIN; ALTER ROLE calm SET default_transaction_read_only = on;
    CREATE ROLE crowd LOGIN CONNECTION LIMIT 0;
    CREATE DATABASE closed; REVOKE CONNECT ON DATABASE closed FROM PUBLIC;
    CREATE DATABASE newer; CREATE DATABASE empty;
    CREATE DATABASE plain ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C';
    """

  private static let rows = [
    Row(database: "absent", says: ["has no database postgresql://postgres@/absent", "createdb"]),
    Row(user: "nobody_may", password: "wrong", says: ["did not accept the password", "~/.pgpass"]),
    Row(user: "nobody_may", says: ["did not accept the password", "~/.pgpass"]),
    Row(user: "unknown", says: ["does not let this user in", "role \"unknown\" does not exist", "pg_hba.conf"]),
    Row(user: "a%1B%5B2Jb", says: ["does not let this user in", "role \"a [2Jb\" does not exist"]),
    Row(user: "rejected", says: ["does not let this user in", "pg_hba.conf rejects connection"]),
    Row(user: "bare", database: "closed", says: ["may not connect", "GRANT CONNECT ON DATABASE"]),
    Row(user: "crowd", says: ["no more sessions", "CONNECTION LIMIT"]),
    Row(user: "calm", says: ["are read-only", "default_transaction_read_only"]),
    Row(
      user: "reader",
      says: [
        "GRANT SELECT, INSERT, UPDATE ON public.ebb_token TO reader;",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON public.ebb_item TO reader",
      ]),
    Row(user: "bare", says: ["GRANT SELECT ON public.ebb_schema TO bare"]),
    Row(user: "bare", database: "empty", says: ["may not make tables", "OWNER TO"]),
    Row(database: "newer", says: ["written by a newer Ebb", "Update this one"]),
    Row(database: "plain", says: ["encoding SQL_ASCII", "createdb --encoding UTF8"]),
  ]

  private func psql(_ cluster: PostgreSQLCluster, _ database: String, _ sql: String, _ workspace: Workspace)
    async throws
  {
    let lines = sql.split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    let words = lines.filter { !$0.isEmpty }.flatMap { ["-c", $0] }
    let outcome = try await CommandRunner(workspace: workspace).run(
      ["psql", "-qX", "-v", "ON_ERROR_STOP=1", cluster.url(of: database)] + words)
    guard outcome.status == 0 else { throw Failure("\(outcome)") }
  }

  private func sentence(_ url: String, _ workspace: Workspace, _ environment: [String: String] = [:]) async throws
    -> String
  {
    let outcome = try await CommandRunner(workspace: workspace).ebb(
      "serve", "--port", "0", "--database", url, environment: environment)
    #expect(outcome.status == 1 && outcome.output.isEmpty && outcome.complaints.count == 1, "\(outcome)")
    #expect(
      !outcome.error.dropLast().unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(outcome)")
    for word in ["another file", "PostgreSQL 4", "--database"] { #expect(!outcome.error.contains(word), "\(outcome)") }
    return outcome.error
  }

  @Test("says what is wrong and what to do about it, in one sentence that speaks of no file")
  func sentences() async throws {
    let cluster = try await blocking { try PostgreSQLCluster(["fsync=off"]) }
    _ = try await blocking { try cluster.makeDatabase("list") }
    try await Workspace.use { workspace async throws in
      try await psql(cluster, "postgres", Self.statements, workspace)
      for database in ["list", "newer"] {
        try await ServerProcess.start(workspace, database: cluster.url(of: database)).stop()
      }
      try await psql(
        cluster, "list", "GRANT SELECT ON ebb_schema, ebb_database, ebb_list, ebb_item TO reader", workspace)
      try await psql(cluster, "newer", "UPDATE ebb_schema SET version = version + 1", workspace)
      let rules = "\(cluster.folder)/data/pg_hba.conf"
      let old = try String(contentsOfFile: rules, encoding: .utf8)
      let new = "local all nobody_may scram-sha-256\nlocal all rejected reject\n" + old
      try new.write(toFile: rules, atomically: false, encoding: .utf8)
      try await psql(cluster, "postgres", "SELECT pg_reload_conf()", workspace)
      for row in Self.rows {
        let url = cluster.url(of: row.database).replacing("postgres@", with: "\(row.user)@")
        let said = try await sentence(url, workspace, row.password.map { ["PGPASSWORD": $0] } ?? [:])
        for words in row.says { #expect(said.contains(words), "\(row): \(said)") }
      }
      let check = try await CommandRunner(workspace: workspace).ebb(
        "serve", "check", "--database", cluster.url(of: "empty"))
      #expect(check.status == 1 && check.error.contains("has no tables of Ebb"), "\(check)")
      let url = cluster.url(of: "list")
      try await blocking { try cluster.stop() }
      #expect(try await sentence(url, workspace).contains("Check that it runs there"))
    }
  }

  @Test("names a standby as one, and a server that takes no sessions yet")
  func standby() async throws {
    let primary = try await blocking { try PostgreSQLCluster(["fsync=off"]) }
    let standby = try await blocking { try PostgreSQLCluster(["fsync=off"], standbyOf: primary) }
    let cold = try await blocking { try PostgreSQLCluster(["fsync=off", "hot_standby=off"], standbyOf: primary) }
    try await Workspace.use { workspace async throws in
      #expect(try await sentence(standby.url(of: "postgres"), workspace).contains("is a standby"))
      #expect(try await sentence(cold.url(of: "postgres"), workspace).contains("Wait until it has started"))
    }
  }
}
