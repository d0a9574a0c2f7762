package import FoundationEssentials
import Glibc
package import Logging
package import TableProtocol
import TableStorage

/// A table server's settings and surroundings.
package struct ServerConfiguration: Sendable {
  package var listening: ServerListening
  /// A name or an address; a loopback one unless the user says otherwise.
  package var host: String
  /// 0 lets the system choose a free one.
  package var port: Int
  /// Further names under which clients ask for this server, as one that a proxy before it has.
  package var names: [String]
  /// With these the server speaks TLS, and nothing else.
  package var certificate: CertificateFiles?
  /// An existing sign-in whose tokens are accepted too.
  package var signIn: SignInConfiguration?
  /// Where proxies are whose word about a request counts.
  package var proxies: [NetworkAddress.Range]
  /// A path, or a URL of PostgreSQL. A file is created, readable by its owner alone, when it does not exist, and its
  /// folder too.
  package var databasePath: String
  /// True if a pooler gives each transaction another session of PostgreSQL.
  package var isPooled = false
  /// True if moments are those of PostgreSQL's clock, which all servers of a database share; else they are ``clock``'s.
  package var goesByDatabaseClock = true
  /// Lets in everybody who shows no token, also beyond this machine.
  package var isOpen: Bool
  package var tables: TablePolicy
  package var clock: @Sendable () -> Timestamp
  /// Waits before a wrong token is answered.
  package var sleep: @Sendable (Duration) async -> Void
  /// Makes the id of an item that came without one; a random UUID unless another way is given.
  package var makeID: @Sendable () -> String
  /// Makes the identity of a new database; at random unless another way is given.
  package var makeUUID: @Sendable () -> UUID
  /// How long a batch waits at most for the one before it in its push (``ZumoHeader/sequence``).
  package var longestTurn: Duration
  package var limits: ServerLimits
  /// Nil if no backups are made while the server runs.
  package var backups: BackupPlan?
  /// Reports the state of the process to its service manager; nil if there is none.
  package var notice: ServiceNotice?
  /// Is told where the copy of a database is that was made before it was brought up to date.
  package var onCopy: @Sendable (String) -> Void = { _ in }
  /// Is told all other names of columns if the database keeps some that ``tables`` has not.
  package var onKeptAliases: @Sendable ([String]) -> Void = { _ in }
  package var logger: Logger

  package init(
    listening: ServerListening = .port, host: String = "127.0.0.1", port: Int = 8080, names: [String] = [],
    certificate: CertificateFiles? = nil, signIn: SignInConfiguration? = nil, proxies: [NetworkAddress.Range] = [],
    databasePath: String,
    isOpen: Bool = false, tables: TablePolicy = TablePolicy(),
    clock: @escaping @Sendable () -> Timestamp,
    sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
    makeID: (@Sendable () -> String)? = nil,
    makeUUID: @escaping @Sendable () -> UUID = { UUID() },
    longestTurn: Duration = .seconds(5),
    limits: ServerLimits = ServerLimits(),
    logger: Logger
  ) {
    self.listening = listening
    self.host = host
    self.port = port
    self.names = names
    self.certificate = certificate
    self.signIn = signIn
    self.proxies = proxies
    self.databasePath = databasePath
    self.isOpen = isOpen
    self.tables = tables
    self.clock = clock
    self.sleep = sleep
    self.makeID = makeID ?? { UUID().uuidString.lowercased() }
    self.makeUUID = makeUUID
    self.longestTurn = longestTurn
    self.limits = limits
    self.logger = logger
  }
}

/// The sockets of a server.
package enum ServerListening: Hashable, Sendable {
  /// The port of the host.
  case port
  /// A Unix socket, with the permissions of its file.
  case socket(path: String, mode: UInt32)
  /// Sockets that whoever started the process has bound.
  case inherited([Int32])
}

extension ServerConfiguration {
  var database: DatabaseLocation { DatabaseLocation(databasePath) }

  /// At which of its addresses other machines may reach the server; nil if they can't.
  package var reachableHost: String? {
    switch listening {
    case .port: return HostName(plain: host).isLoopback ? nil : host
    case .socket: return nil
    case .inherited(let numbers):
      let hosts = InheritedSockets.reachable(numbers)
      return hosts.isEmpty ? nil : hosts.joined(separator: ", ")
    }
  }

  /// The URL under which clients reach the server, as far as it is known: by the first name that it was given, else at
  /// the address that it listens on.
  package func address(port: Int) -> String? {
    // A proxy is there to encrypt, and has the usual port.
    if !proxies.isEmpty, let name = names.first { return "https://\(HostName(plain: name).inURL)" }
    guard case .port = listening else { return nil }
    let host = names.first ?? (isWildcard ? MachineAddress.reachable : host)
    return host.map { "\(scheme)://\(HostName(plain: $0).inURL):\(port)" }
  }

  package var scheme: String { certificate == nil ? "http" : "https" }

  private var isWildcard: Bool { ["0.0.0.0", "::", "[::]"].contains(host) }
}

/// The addresses of this machine.
private enum MachineAddress {
  /// One at which others may reach it; nil if it has none. One of IPv4 is preferred, because people can read it.
  static var reachable: String? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0, let first = list else { return nil }
    defer { freeifaddrs(first) }
    var found: [Int32: String] = [:]
    for entry in sequence(first: first, next: { $0.pointee.ifa_next }) {
      guard let address = entry.pointee.ifa_addr, entry.pointee.ifa_flags & UInt32(IFF_UP) != 0,
        let text = text(address), let parsed = NetworkAddress(text), !parsed.isLoopback
      else { continue }
      let family = Int32(address.pointee.sa_family)
      if found[family] == nil { found[family] = text }
    }
    return found[AF_INET] ?? found[AF_INET6]
  }

  /// Nil for what is no address of a network, and for those that hold on one cable only.
  private static func text(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
    let size: socklen_t
    switch Int32(address.pointee.sa_family) {
    case AF_INET: size = socklen_t(MemoryLayout<sockaddr_in>.size)
    case AF_INET6: size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    default: return nil
    }
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return text.contains("%") ? nil : text
  }
}
