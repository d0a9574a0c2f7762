import CDocuments

/// The statements that make the tables of a database which has none: bytes in the program.
enum SchemaScript {
  case sqlite, postgreSQL

  var text: String {
    let file =
      switch self {
      case .sqlite: document_server_sql()
      case .postgreSQL: document_postgresql_sql()
      }
    return String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
  }
}
