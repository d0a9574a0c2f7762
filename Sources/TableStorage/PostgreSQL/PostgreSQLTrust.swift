/// Finds out whether others could make the server run what they like.
///
/// A function or an operator that fits a query of the server better than PostgreSQL's own is run with the server's
/// rights, and reads every list (CVE-2018-1058). So each operator here is named with its schema.
struct PostgreSQLTrust {
  private let name: String

  /// `name` is that of the database for messages.
  init(name: String) { self.name = name }

  /// The roles that can read every list anyway. The only member of `pg_database_owner` is the owner of the database.
  private static let trusted = """
    SELECT t.oid FROM pg_catalog.pg_roles t
    WHERE t.rolsuper OR t.rolname OPERATOR(pg_catalog.=) CURRENT_USER
      OR t.rolname OPERATOR(pg_catalog.=) 'pg_database_owner'::pg_catalog.name
      OR t.oid OPERATOR(pg_catalog.=) ANY (
        SELECT d.datdba FROM pg_catalog.pg_database d
        WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database())
    """

  /// Throws if somebody else owns the schema that the session works in, a table of Ebb there, or something that could
  /// be run with a query; if a table has a rule; or if somebody else may make things in the schema. Things that others
  /// made while they might are still there when they may no longer.
  func check(_ connection: PostgreSQLConnection) throws {
    let results = try connection.run([Self.owners, Self.makers, Self.rules])
    if let kind = results[0].text(0, 0), let thing = results[0].text(0, 1), let role = results[0].text(0, 2) {
      throw ServerDatabaseError.databaseServer(
        .othersOwn(
          kind: kind, name: thing, role: role, user: results[0].text(0, 3) ?? ""), database: name)
    }
    if let schema = results[1].text(0, 0) {
      throw ServerDatabaseError.databaseServer(
        .othersMayCreate(role: results[1].text(0, 1), schema: schema), database: name)
    }
    if let rule = results[2].text(0, 0), let table = results[2].text(0, 1) {
      throw ServerDatabaseError.databaseServer(.hasRule(rule, table: table), database: name)
    }
  }

  private static let owners = PostgreSQLStatement(
    """
    SELECT o.kind, o.name, pg_catalog.quote_ident(r.rolname), pg_catalog.quote_ident(CURRENT_USER::pg_catalog.text)
    FROM (
      SELECT 'SCHEMA' AS kind, pg_catalog.quote_ident(n.nspname) AS name, n.nspowner AS owner
      FROM pg_catalog.pg_namespace n WHERE n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema()
      UNION ALL
      SELECT 'TABLE', pg_catalog.concat(pg_catalog.quote_ident(n.nspname), '.', c.relname), c.relowner
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
      WHERE n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema()
        AND c.relname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[])
      UNION ALL
      SELECT 'ROUTINE', pg_catalog.concat(pg_catalog.quote_ident(n.nspname), '.', pg_catalog.quote_ident(p.proname),
        '(', pg_catalog.pg_get_function_identity_arguments(p.oid), ')'), p.proowner
      FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.pronamespace
      WHERE n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema() OR p.oid OPERATOR(pg_catalog.=) ANY (
        SELECT t.tgfoid FROM pg_catalog.pg_trigger t
          JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) t.tgrelid
          JOIN pg_catalog.pg_namespace m ON m.oid OPERATOR(pg_catalog.=) c.relnamespace
        WHERE m.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema() AND NOT t.tgisinternal
          AND c.relname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[]))
      UNION ALL
      SELECT 'OPERATOR', pg_catalog.concat(pg_catalog.quote_ident(n.nspname), '.', p.oprname, ' (',
        CASE WHEN p.oprleft OPERATOR(pg_catalog.=) 0::pg_catalog.oid THEN 'NONE'
          ELSE pg_catalog.format_type(p.oprleft, NULL) END, ', ',
        pg_catalog.format_type(p.oprright, NULL), ')'), p.oprowner
      FROM pg_catalog.pg_operator p JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) p.oprnamespace
      WHERE n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema()
    ) o JOIN pg_catalog.pg_roles r ON r.oid OPERATOR(pg_catalog.=) o.owner
    WHERE NOT o.owner OPERATOR(pg_catalog.=) ANY (\(trusted)) ORDER BY o.kind, o.name LIMIT 1
    """, [.array(PostgreSQLSchema.tables)])

  /// A rule has no owner, and Ebb makes none.
  private static let rules = PostgreSQLStatement(
    """
    SELECT pg_catalog.quote_ident(r.rulename),
      pg_catalog.concat(pg_catalog.quote_ident(n.nspname), '.', pg_catalog.quote_ident(c.relname))
    FROM pg_catalog.pg_rewrite r JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) r.ev_class
      JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
    WHERE n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema()
      AND c.relname OPERATOR(pg_catalog.=) ANY ($1::pg_catalog.text[]) LIMIT 1
    """, [.array(PostgreSQLSchema.tables)])

  /// The role is null for everybody, as in `public` of PostgreSQL 14.
  private static let makers = PostgreSQLStatement(
    """
    SELECT pg_catalog.quote_ident(n.nspname), pg_catalog.quote_ident(r.rolname)
    FROM pg_catalog.pg_namespace n CROSS JOIN pg_catalog.aclexplode(n.nspacl) a
      LEFT JOIN pg_catalog.pg_roles r ON r.oid OPERATOR(pg_catalog.=) a.grantee
    WHERE n.nspname OPERATOR(pg_catalog.=) pg_catalog.current_schema()
      AND a.privilege_type OPERATOR(pg_catalog.=) 'CREATE'::pg_catalog.text
      AND NOT a.grantee OPERATOR(pg_catalog.=) ANY (\(trusted))
    ORDER BY r.rolname IS NOT NULL LIMIT 1
    """)
}
