/// The rooms of the program, and what each may import: its arrows in the map of the README, and the modules of others
/// that it alone (or with few) is the door to.
enum Rooms {
  /// What any room may import, for it brings in no network, no database and no terminal.
  static let everywhere: Set<String> = [
    "Swift", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
  ]

  struct Rule {
    /// The rooms straight below; what those stand on in turn may be imported too.
    var below: Set<String> = []
    /// Modules from outside.
    var outside: Set<String> = []
  }

  static let rules: [String: Rule] = [
    "CNcurses": Rule(),
    "CSQLite": Rule(),
    "CLibpq": Rule(),
    "CStrings": Rule(),
    "CDocuments": Rule(),
    "Terminal": Rule(below: ["CNcurses"]),
    "TableProtocol": Rule(),
    "TableSQL": Rule(below: ["TableProtocol"]),
    "OfflineSync": Rule(below: ["TableProtocol"]),
    "SQLiteStatements": Rule(below: ["TableSQL", "CSQLite"], outside: ["GRDB", "GRDBSQLite"]),
    "SQLiteStore": Rule(below: ["OfflineSync", "SQLiteStatements"], outside: ["GRDB", "GRDBSQLite"]),
    "TableClient": Rule(
      below: ["OfflineSync"],
      outside: [
        "AsyncHTTPClient", "Crypto", "Logging", "NIO", "NIOCore", "NIOFoundationCompat", "NIOHTTP1", "NIOPosix",
        "NIOSSL",
      ]),
    "TodoCore": Rule(below: ["OfflineSync"]),
    "Exchange": Rule(below: ["TodoCore"]),
    "Words": Rule(below: ["TodoCore", "CStrings"]),
    "TodoUI": Rule(below: ["TodoCore", "Terminal", "Words"]),
    "TableStorage": Rule(
      below: ["SQLiteStatements", "CLibpq", "CDocuments"], outside: ["GRDB", "GRDBSQLite", "NIOPosix"]),
    "TableServer": Rule(
      below: ["TableStorage", "CDocuments"],
      outside: [
        "CoreMetrics", "Crypto", "HTTPTypes", "Hummingbird", "HummingbirdCore", "JWTKit", "Logging", "NIOCore",
        "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix", "NIOSSL", "ServiceLifecycle", "UnixSignals",
      ]),
    "ebb": Rule(
      below: ["TodoUI", "Words", "Exchange", "SQLiteStore", "TableClient", "TableServer", "CDocuments"],
      outside: [
        "ArgumentParser", "Configuration", "HTTPTypes", "Hummingbird", "Logging", "ServiceLifecycle", "SystemPackage",
      ]),
  ]

  /// The rooms that a room stands on, directly or in turn. CNcurses ends with Terminal: that is its only door.
  static func standsOn(_ room: String) -> Set<String> {
    let below = rules[room]?.below ?? []
    return below.reduce(into: below) { all, next in
      if next != "Terminal" { all.formUnion(standsOn(next)) }
    }
  }

  /// Everything a file of the room may import.
  static func allowed(in room: String) -> Set<String> {
    everywhere.union(standsOn(room)).union(rules[room]?.outside ?? [])
  }
}
