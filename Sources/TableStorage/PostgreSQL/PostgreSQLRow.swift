import TableProtocol

/// Rows as `ebb_item` has them.
extension ListedRow {
  /// A row of ``PostgreSQLQuery/columns``. Throws `StorageError.damagedRow` for a value that does not fit.
  init(_ rows: PostgreSQLRows, _ row: Int, _ columns: [TableColumn]) throws(StorageError) {
    guard let text = rows.text(row, 0) else { throw .damagedRow(id: nil, column: SystemColumn.id) }
    let id = RecordID(text)
    func checked<Value>(_ value: Value?, _ column: String) throws(StorageError) -> Value {
      guard let value else { throw .damagedRow(id: id, column: column) }
      return value
    }
    let more = rows.isNull(row, 7) ? [:] : try checked(Self.more(rows.utf8(row, 7)), columns.first?.name ?? "")
    var values: [FieldValue] = []
    values.reserveCapacity(columns.count)
    for column in columns {
      let value: FieldValue =
        switch column.kind {
        case .text where PostgreSQLColumns.isOwn(column): rows.text(row, 5).map(FieldValue.text) ?? .null
        case .bool where PostgreSQLColumns.isOwn(column): rows.bool(row, 6).map(FieldValue.bool) ?? .null
        case .text, .bool, .number: more[column.name] ?? .null
        }
      values.append(try checked(value.isOf(column.kind) ? value : nil, column.name))
    }
    self.init(
      id: id, values: values, createdAt: try checked(rows.moment(row, 1), SystemColumn.createdAt),
      updatedAt: try checked(rows.moment(row, 2), SystemColumn.updatedAt),
      version: RecordVersion(try checked(rows.text(row, 3), SystemColumn.version)),
      deleted: try checked(rows.bool(row, 4), SystemColumn.deleted))
  }

  /// Nil for what is no flat object of JSON.
  private static func more(_ bytes: UnsafeBufferPointer<UInt8>?) -> [String: FieldValue]? {
    guard let bytes, var reader = try? JSONReader(Array(bytes)), (try? reader.beginObject()) != nil else { return nil }
    var values: [String: FieldValue] = [:]
    do {
      while let name = try reader.nextName() { values[name] = try reader.value() }
      try reader.end()
    } catch {
      return nil
    }
    return values
  }
}

extension FieldValue {
  fileprivate func isOf(_ kind: TableColumn.Kind) -> Bool {
    switch (self, kind) {
    case (.null, _), (.text, .text), (.bool, .bool), (.integer, .number), (.real, .number): true
    case (.text, _), (.bool, _), (.integer, _), (.real, _): false
    }
  }
}

/// Rows that wait to be written, one value of each kind beside the other.
struct PostgreSQLBatch {
  private var columns: [[String?]] = Array(repeating: [], count: 9)
  private(set) var count = 0

  mutating func add(_ row: Record, _ schema: TableSchema) {
    let system = row.system
    var writer = JSONWriter()
    var isEmpty = true
    var own: [FieldValue] = [.null, .null]
    for column in schema.columns {
      guard let value = row.values[column.name], value != .null else { continue }
      if PostgreSQLColumns.isOwn(column) {
        own[column.kind == .text ? 0 : 1] = value
      } else {
        writer.raw(isEmpty ? "{" : "")
        writer.member(column.name, isFirst: isEmpty)
        writer.value(value)
        isEmpty = false
      }
    }
    writer.raw("}")
    let values: [String?] = [
      row.id.text, system.createdAt.map { String($0.milliseconds) }, system.updatedAt.map { String($0.milliseconds) },
      system.version?.text ?? "", system.deleted ? "t" : "f", own[0].text, own[1].bool.map { $0 ? "t" : "f" },
      isEmpty ? nil : String(decoding: writer.bytes, as: UTF8.self), String(RowDigest(row, schema.columns).value),
    ]
    for (index, value) in values.enumerated() { columns[index].append(value) }
    count += 1
  }

  private static let source = """
    unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::boolean[], $7::text[], $8::boolean[], $9::text[],
      $10::bigint[]) AS n (id, created_at, updated_at, version, deleted, text, complete, more, row_digest)
    """

  private func arguments(_ listID: String) -> [PostgreSQLValue] {
    [.text(listID)] + columns.map { PostgreSQLValue.array($0) }
  }

  /// Adds the rows, which are not there yet.
  func insert(into listID: String) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      INSERT INTO ebb_item
        (list_id, id, created_at, updated_at, version, deleted, text, complete, more, row_digest)
      SELECT $1::uuid, n.id, n.created_at, n.updated_at, n.version, n.deleted, n.text, n.complete, n.more::jsonb,
        n.row_digest FROM \(Self.source)
      """, arguments(listID))
  }

  /// Puts the rows in the place of those with their ids.
  func update(in listID: String) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      UPDATE ebb_item i SET created_at = n.created_at, updated_at = n.updated_at, version = n.version,
        deleted = n.deleted, text = n.text, complete = n.complete, more = n.more::jsonb, row_digest = n.row_digest
      FROM \(Self.source) WHERE i.list_id = $1::uuid AND i.id = n.id
      """, arguments(listID))
  }
}
