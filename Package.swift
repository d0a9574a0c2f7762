// swift-tools-version: 6.2
import PackageDescription

/// Set by `make build` and `make dist`: the folder with the libraries that then become part of the program, to be found before the system's.
let staticLibraries =
  Context.environment["EBB_STATIC"] == nil ? [] : ["-L", Context.packageDirectory + "/.build/link/static"]

/// What every target of our own is held to. Warnings are errors, and an import is visible only
/// in the file that states it, so that the direction of imports can be read off the sources.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Set by `make test`: random texts, tables of states and simulated worlds only compute, and these targets are what they
/// compute with. Optimized, they take a fraction of the time; what is checked is the same, and is what is shipped: the
/// optimizer itself once broke the terminal's input.
let computing =
  Context.environment["EBB_TEST_OPTIMIZED"] == nil
  ? strict : strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
  name: "ebb",
  products: [
    .executable(name: "ebb", targets: ["ebb"]),
    // For other applications: what is public is listed in Tests/ArchitectureTests/DeclarationsTests.swift.
    .library(name: "OfflineSync", targets: ["OfflineSync", "SQLiteStore", "TableClient", "TableProtocol"]),
  ],
  // Exact, since `Package.resolved` is not in the repository: every build has the same parts. A bump is one commit.
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["YAML"]),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/vapor/jwt-kit", exact: "5.7.1"),
  ],
  targets: [
    .systemLibrary(name: "CNcurses"),
    .systemLibrary(name: "CSQLite"),
    .target(name: "CLibpq", cSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "Terminal", dependencies: ["CNcurses"], swiftSettings: computing),
    .target(name: "TableProtocol", swiftSettings: computing),
    .target(name: "TableSQL", dependencies: ["TableProtocol"], swiftSettings: computing),
    .target(name: "OfflineSync", dependencies: ["TableProtocol"], swiftSettings: computing),
    .target(
      name: "SQLiteStatements",
      dependencies: [
        "TableSQL", "TableProtocol", "CSQLite", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: computing),
    .target(
      name: "SQLiteStore",
      dependencies: [
        "OfflineSync", "SQLiteStatements", "TableSQL", "TableProtocol", "CSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      resources: [.embedInCode("../../Resources/schema/store.sql")],
      swiftSettings: computing),
    .target(
      name: "TableClient",
      dependencies: [
        "OfflineSync", "TableProtocol",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ],
      swiftSettings: computing),
    .target(name: "TodoCore", dependencies: ["OfflineSync", "TableProtocol"], swiftSettings: computing),
    .target(name: "Exchange", dependencies: ["TodoCore", "TableProtocol"], swiftSettings: strict),
    .target(name: "CStrings", cSettings: [.treatAllWarnings(as: .error)]),
    .target(name: "CDocuments", cSettings: [.treatAllWarnings(as: .error)]),
    .target(
      name: "Words", dependencies: ["TodoCore", "OfflineSync", "TableProtocol", "CStrings"], swiftSettings: strict),
    .target(
      name: "TodoUI", dependencies: ["TodoCore", "Terminal", "Words", "OfflineSync", "TableProtocol"],
      resources: [.embedInCode("../../Resources/keys/default.keys")],
      swiftSettings: strict),
    .target(
      name: "TableStorage",
      dependencies: [
        "SQLiteStatements", "TableSQL", "TableProtocol", "CLibpq", "CDocuments", "CSQLite",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .target(
      name: "TableServer",
      dependencies: [
        "TableStorage", "TableSQL", "TableProtocol", "CDocuments",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "ebb",
      dependencies: [
        "TodoUI", "TodoCore", "Exchange", "Terminal", "Words", "SQLiteStore", "TableClient", "TableServer",
        "TableStorage", "OfflineSync", "TableProtocol", "CDocuments",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Configuration", package: "swift-configuration"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict,
      // The linker of Swift's own toolchain: the system's knows neither packed addresses nor an order of functions. The
      // folder is made by the Makefile.
      linkerSettings: [
        .unsafeFlags(
          ["-use-ld=lld"] + staticLibraries
            + ["-L", Context.packageDirectory + "/.build/link", "-Xclang-linker", "-static-libgcc"],
          .when(platforms: [.linux], configuration: .release))
      ]),
    // Random numbers from a seed, for every test and simulation.
    .target(name: "Chance", path: "Tests/Chance", swiftSettings: strict),
    .target(
      name: "InMemoryStore", dependencies: ["OfflineSync", "TableSQL", "TableProtocol"], path: "Tests/InMemoryStore",
      swiftSettings: computing),
    .target(
      name: "InMemoryStorage", dependencies: ["InMemoryStore", "TableStorage", "TableSQL", "TableProtocol"],
      path: "Tests/InMemoryStorage", swiftSettings: computing),
    .target(
      name: "Support", dependencies: ["InMemoryStore", "OfflineSync", "SQLiteStore", "TableSQL", "TableProtocol"],
      path: "Tests/Support", swiftSettings: strict),
    // For the tests of a server's storage, and those of the server over one.
    .target(
      name: "StorageSupport",
      dependencies: [
        "InMemoryStorage", "OfflineSync", "Support", "TableStorage", "TableProtocol",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/StorageSupport", swiftSettings: strict),
    .target(
      name: "Simulation", dependencies: ["Chance", "InMemoryStore", "OfflineSync", "TableSQL", "TableProtocol"],
      path: "Tests/Simulation", swiftSettings: computing),
    // The simulated worlds with our server's own code, over a storage in memory.
    .target(
      name: "ServedWorlds",
      dependencies: [
        "Simulation", "InMemoryStorage", "TableClient", "TableServer", "TableStorage", "OfflineSync", "TableProtocol",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      path: "Tests/ServedWorlds", swiftSettings: computing),
    .executableTarget(
      name: "simulate", dependencies: ["Simulation", "ServedWorlds"], path: "Tests/Simulate", swiftSettings: strict),
    // Sees only what is public, as an application in another package does.
    .executableTarget(
      name: "shopping", dependencies: ["OfflineSync", "SQLiteStore", "TableClient", "TableProtocol"],
      path: "Tests/Examples/ShoppingList", packageAccess: false, swiftSettings: strict),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["Simulation", "ServedWorlds", "OfflineSync", "TableProtocol"], swiftSettings: strict),
    .testTarget(
      name: "OfflineSyncTests",
      dependencies: ["OfflineSync", "TableSQL", "TableProtocol", "Chance", "InMemoryStore", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteStatementsTests",
      dependencies: [
        "SQLiteStatements", "Support", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteStoreTests",
      dependencies: [
        "SQLiteStore", "OfflineSync", "TableSQL", "TableProtocol", "Chance", "InMemoryStore", "Support",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TableClientTests",
      dependencies: [
        "TableClient", "TableServer", "OfflineSync", "TableProtocol", "Chance", "Support", "Simulation",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TodoCoreTests",
      dependencies: [
        "TodoCore", "SQLiteStore", "SQLiteStatements", "OfflineSync", "TableSQL", "TableProtocol", "Chance", "Support",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ExchangeTests",
      dependencies: ["Exchange", "TodoCore", "SQLiteStore", "OfflineSync", "TableProtocol", "Chance", "Support"],
      exclude: ["Files"],
      swiftSettings: strict),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal", "Chance"], swiftSettings: strict),
    .testTarget(
      name: "WordsTests", dependencies: ["Words", "TodoCore", "OfflineSync", "TableProtocol"], swiftSettings: strict),
    .testTarget(
      name: "TodoUITests",
      dependencies: ["TodoUI", "TodoCore", "Terminal", "Words", "OfflineSync", "TableProtocol", "Chance"],
      exclude: ["Screens"],
      swiftSettings: strict),
    .testTarget(name: "ArchitectureTests", swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "ebb", "shopping", "Chance", "OfflineSync", "Support", "TableProtocol", "TableServer", "TableStorage",
        "Terminal", "TodoCore", "TodoUI", "Words",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(name: "TableProtocolTests", dependencies: ["TableProtocol", "Chance"], swiftSettings: strict),
    .testTarget(name: "TableSQLTests", dependencies: ["TableSQL", "TableProtocol", "Chance"], swiftSettings: strict),
    .testTarget(
      name: "TableStorageTests",
      dependencies: [
        "TableStorage", "TableSQL", "TableProtocol", "StorageSupport", "Support",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TableServerTests",
      dependencies: [
        "TableServer", "TableStorage", "SQLiteStatements", "TableSQL", "TableProtocol", "Chance", "InMemoryStorage",
        "InMemoryStore", "StorageSupport", "Support",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "JWTKit", package: "jwt-kit"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict),
  ],
  cLanguageStandard: .c2x
)
