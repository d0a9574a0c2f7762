import Foundation
import Glibc
import Synchronization

/// A PostgreSQL of the tests' own, on a socket in a folder that is removed at the end of the process.
package final class PostgreSQLCluster: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  package static let isInstalled: Bool = {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return versions.contains { FileManager.default.isExecutableFile(atPath: "/usr/lib/postgresql/\($0)/bin/initdb") }
  }()

  /// One for all tests of a process. It does not wait for the disk, which no test of it asks for.
  private static let shared = Mutex<Result<PostgreSQLCluster, Failure>?>(nil)

  /// Starts it when it is first asked for. Blocks for some seconds then.
  package static func get() throws -> PostgreSQLCluster {
    try shared.withLock { shared in
      if let shared { return try shared.get() }
      let made = Result { () throws(Failure) in try PostgreSQLCluster(["fsync=off"]) }
      shared = made
      return try made.get()
    }
  }

  /// True if a disk of its own can be made for one, of memory: for root alone.
  package static let canHaveDisk: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    process.standardError = FileHandle.nullDevice
    guard isInstalled, getuid() == 0, (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  package let folder: String
  private let number: Int32
  private let commands: FileHandle
  private let answers: Mutex<FileHandle>
  private static let count = Atomic(0)

  /// One of its own, for tests that stop it. With `primary` it is a standby, which follows that one; with `clock` its
  /// clock is that; with `megabytes` its data are on a disk of that size, see ``canHaveDisk``.
  package init(
    _ settings: [String] = [], standbyOf primary: PostgreSQLCluster? = nil, clock: SteppedClock? = nil,
    megabytes: Int? = nil
  ) throws(Failure) {
    folder = "/tmp/ebb-postgres-\(getpid())-\(Self.count.add(1, ordering: .relaxed).newValue)"
    let process = Process()
    process.executableURL = URL(filePath: megabytes == nil ? "/bin/sh" : "/usr/bin/unshare")
    let script = URL(filePath: #filePath).appending(path: "../../../Resources/run/postgres.sh").standardized.path
    process.arguments = Self.onDisk(of: megabytes) + [script, folder] + settings
    var environment = clock?.environment ?? [:]
    environment["EBB_POSTGRES_ONCE"] = "1"
    environment["EBB_POSTGRES_STANDBY_OF"] = primary?.folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (input, output) = (Pipe(), Pipe())
    for end in [input.fileHandleForWriting, output.fileHandleForReading] {
      _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
    }
    process.standardInput = input
    process.standardOutput = output
    do {
      try process.run()
    } catch {
      throw Failure(description: "\(error)")
    }
    number = process.processIdentifier
    commands = input.fileHandleForWriting
    answers = Mutex(output.fileHandleForReading)
    guard answer() == "ready" else { throw Failure(description: "PostgreSQL did not start") }
  }

  /// The words before those of the script. The disk goes with the processes that see it, and the link with the folder.
  private static func onDisk(of megabytes: Int?) -> [String] {
    guard let megabytes else { return [] }
    let mount = "mount -t tmpfs -o size=\(megabytes)m,mode=0700,uid=$(id -u postgres) tmpfs /mnt"
    return ["-m", "sh", "-c", mount + #" && mkdir -p "$1" && ln -s /mnt "$1/data" && exec sh "$0" "$@""#]
  }

  /// Where its processes have the data, for one with a disk of its own.
  package var data: String { "/proc/\(number)/root/mnt" }

  /// A name that no database has.
  package static func newName() -> String { "test_\(UUID().uuidString.prefix(8).lowercased())" }

  /// Makes a database of this name, and returns its URL.
  @discardableResult
  package func makeDatabase(_ name: String = newName()) throws -> String {
    try ask("create \(name)", "created")
    return url(of: name)
  }

  /// With others, whichever of them takes writes.
  package func url(of database: String, or others: [PostgreSQLCluster] = []) -> String {
    let folders = [folder] + others.map(\.folder)
    return "postgresql://postgres@/\(database)?host=\(folders.joined(separator: ","))"
  }

  /// Ends it as a power cut would.
  package func kill() throws { try ask("kill", "killed") }
  package func stop() throws { try ask("stop", "stopped") }
  package func start() throws { try ask("start", "ready") }
  /// Lets it stand still, with all its sessions, as a machine does that has too much to do.
  package func pause() throws { try ask("pause", "paused") }
  package func resume() throws { try ask("resume", "resumed") }
  /// Lets a standby take over.
  package func promote() throws { try ask("promote", "promoted") }

  private func ask(_ command: String, _ expected: String) throws {
    let said = answers.withLock { answers in
      try? commands.write(contentsOf: Data("\(command)\n".utf8))
      return Self.line(answers)
    }
    guard said == expected else { throw Failure(description: "PostgreSQL answered \(command) with \(said)") }
  }

  private func answer() -> String { answers.withLock { Self.line($0) } }

  private static func line(_ handle: FileHandle) -> String {
    var line: [UInt8] = []
    while let byte = try? handle.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }
}
