/// Reads the server's table the way anyone can: with curl and the table protocol.
struct Curl {
  let server: ServerProcess

  /// One record as the server has it.
  struct Record: Decodable, Equatable {
    let id: String
    let text: String
    let complete: Bool
    let version: String
    let updatedAt: String
    let deleted: Bool?
  }

  private struct Page: Decodable {
    let items: [Record]
  }

  /// All the records that are not deleted, ordered by their text.
  func items() async throws -> [Record] {
    try await page("")
  }

  /// All the records, the tombstones too, ordered by their text.
  func everything() async throws -> [Record] {
    try await page("?__includedeleted=true")
  }

  /// Adds an item as any client could.
  func post(_ item: String, to table: String = "TodoItem") async throws {
    try await change(["-H", "Content-Type: application/json", "-d", item, "\(server.url)/tables/\(table)"])
  }

  func delete(_ id: String, from table: String = "TodoItem") async throws {
    try await change(["-X", "DELETE", "\(server.url)/tables/\(table)/\(id)"])
  }

  private func change(_ words: [String]) async throws {
    let outcome = try await CommandRunner(workspace: server.workspace).run(
      ["curl", "-sS", "--fail-with-body", "--noproxy", "*"] + words)
    guard outcome.status == 0 else { throw Failure("\(outcome)") }
  }

  /// The status that the server answers with when it is asked whether it is ready.
  func readiness() async throws -> String { try await status("/health/ready") }

  func has(_ id: String) async throws -> Bool { try await status("/tables/TodoItem/\(id)") == "200" }

  private func status(_ path: String) async throws -> String {
    try await CommandRunner(workspace: server.workspace).run([
      "curl", "-sS", "--noproxy", "*", "--max-time", "60", "-H", "ZUMO-API-VERSION: 3.0.0", "-o", "/dev/null", "-w",
      "%{http_code}", server.url + path,
    ]).output
  }

  private func page(_ query: String) async throws -> [Record] {
    let outcome = try await CommandRunner(workspace: server.workspace).run([
      "curl", "-sS", "--fail-with-body", "--noproxy", "*", "--max-time", "30", "-H", "ZUMO-API-VERSION: 3.0.0",
      "\(server.url)/tables/TodoItem\(query)",
    ])
    guard outcome.status == 0 else { throw Failure("\(outcome)") }
    return try outcome.decoded(Page.self).items.sorted { ($0.text, $0.id) < ($1.text, $1.id) }
  }
}
