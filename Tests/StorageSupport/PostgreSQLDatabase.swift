import Support
package import TableStorage

/// A database of a test's own in the PostgreSQL of the tests.
package enum PostgreSQLDatabase {
  package static func use<Value>(_ body: (PostgreSQLAddress) async throws -> Value) async throws -> Value {
    let url = try await blocking { try PostgreSQLCluster.get().makeDatabase() }
    guard let address = PostgreSQLAddress(url) else { throw PostgreSQLCluster.Failure(description: url) }
    return try await body(address)
  }
}
