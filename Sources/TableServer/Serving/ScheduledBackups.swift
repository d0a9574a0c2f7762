import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
import TableProtocol
import TableStorage

/// Which backups a server makes while it runs.
package struct BackupPlan: Hashable, Sendable {
  /// Milliseconds from one backup to the next.
  package var every: Int64
  /// How many are kept; the oldest of those that are more is removed when the next was made.
  package var keep: Int
  /// Made if it is not there. Absolute.
  package var folder: String

  package init(every: Int64, keep: Int, folder: String) {
    self.every = every
    self.keep = keep
    self.folder = folder
  }
}

/// The backups of one database in a folder. Files with other names are never touched: they are somebody else's.
///
/// A name has the moment at which it was made, which is its age over restarts. A name from the future is that of a
/// clock that was wrong: such a backup neither counts nor goes, so that a clock that was set back costs no good one.
struct ScheduledBackups: Sendable {
  /// The result of one turn.
  enum Turn: Hashable, Sendable {
    /// The newest was made at that moment.
    case notDue(newest: Timestamp)
    case made(String, DatabaseReport, removed: [String])
  }

  private let plan: BackupPlan
  private let database: ServerDatabase
  /// `server-3f0c1a22-`: of two databases that have one folder each removes its own.
  private let prefix: String
  private static let ending = ".sqlite"

  init(_ plan: BackupPlan, of path: String, _ identity: DatabaseIdentity) {
    self.plan = plan
    database = ServerDatabase(path: path)
    let name = URL(filePath: path).lastPathComponent
    let stem = name.hasSuffix(Self.ending) ? String(name.dropLast(Self.ending.count)) : name
    prefix = "\(stem)-\(identity.text.prefix(8))-"
  }

  /// Makes a backup if the newest is old enough, and then removes the oldest. Blocks. `isStopped` is asked on the way.
  func turn(at now: Timestamp, isStopped: @escaping () -> Bool = { false }) throws -> Turn {
    try PrivateFolder.make(plan.folder)
    if let newest = try found(at: now).last, now < newest.moment.advanced(byMilliseconds: plan.every) {
      return .notDue(newest: newest.moment)
    }
    let path = "\(plan.folder)/\(prefix)\(now.inFileName)\(Self.ending)"
    let report = try database.backUp(to: path, isStopped: isStopped)
    // A damaged database must not drive out the backups from before the damage.
    let removed = report.findings.isEmpty ? try found(at: now).dropLast(plan.keep).map(\.path).filter(remove) : []
    return .made(path, report, removed: removed)
  }

  /// When the newest backup was made; nil if there is none, or if the folder can't be read.
  func newest(at now: Timestamp) -> Timestamp? { (try? found(at: now))?.last?.moment }

  private struct Backup {
    let path: String
    let moment: Timestamp
  }

  /// The oldest first.
  private func found(at now: Timestamp) throws -> [Backup] {
    try FileManager.default.contentsOfDirectory(atPath: plan.folder)
      .compactMap { name in
        guard name.hasSuffix(Self.ending), let moment = moment(of: name.dropLast(Self.ending.count)), moment <= now
        else { return nil }
        return Backup(path: "\(plan.folder)/\(name)", moment: moment)
      }
      .sorted { $0.moment < $1.moment }
  }

  /// Nil for a name that none of these backups has.
  private func moment(of name: some StringProtocol) -> Timestamp? {
    guard name.hasPrefix(prefix) else { return nil }
    let moment = String(name.dropFirst(prefix.count))
    guard let match = moment.wholeMatch(of: /(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z/) else { return nil }
    return Timestamp("\(match.1)T\(match.2):\(match.3):\(match.4).000Z")
  }

  /// False for what is no file, and for what can't be removed: one backup too many harms nobody.
  private func remove(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && unlink(path) == 0
  }
}

/// Makes the backups while the server runs, on a thread of its own.
final class BackupTask: Sendable {
  /// Between two looks, by a clock that nobody can set.
  private static let pause = Duration.seconds(60)
  private static let longestPause = Duration.seconds(3_600)

  private let backups: ScheduledBackups
  private let clock: @Sendable () -> Timestamp
  private let log: ServerLog
  private let figures: ServerFigures
  private let isStopped = Mutex(false)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ backups: ScheduledBackups, clock: @escaping @Sendable () -> Timestamp, log: ServerLog, figures: ServerFigures)
  {
    self.figures = figures
    self.backups = backups
    self.clock = clock
    self.log = log
  }

  func start() {
    task.withLock { task in
      task = Task { [self] in
        var pause = Self.pause
        repeat { pause = await look(after: pause) } while (try? await Task.sleep(for: pause)) != nil
      }
    }
  }

  /// Gives up the backup that is being made, and returns when nothing of it is left.
  func stop() async {
    isStopped.withLock { $0 = true }
    let last = task.withLock { $0 }
    last?.cancel()
    await last?.value
  }

  /// Returns the pause until the next look: longer with each failure, so that the log stays readable.
  private func look(after pause: Duration) async -> Duration {
    let turn = await withCheckedContinuation { continuation in
      DispatchQueue.global(qos: .utility).async { [self] in
        continuation.resume(
          returning: Result {
            try backups.turn(at: clock()) { [self] in isStopped.withLock { $0 } }
          })
      }
    }
    switch turn {
    case .success(.notDue(let newest)): figures.noteNewestBackup(newest)
    case .success(.made(let path, let report, let removed)):
      figures.noteBackup(isMade: true)
      figures.noteNewestBackup(clock())
      log.notice("Backed up to \(path). Removed: \(removed.count).")
      if !report.findings.isEmpty { log.error("The backup \(path) has damaged rows: no older one is removed.") }
    case .failure(is CancellationError): break
    case .failure(let error):
      figures.noteBackup(isMade: false)
      if let newest = backups.newest(at: clock()) { figures.noteNewestBackup(newest) }
      let next = min(pause * 2, Self.longestPause)
      log.error(
        "The backup failed, and is tried again in \(Int(next / .seconds(60))) minutes: \(error.backupReason)")
      return next
    }
    return Self.pause
  }
}

extension Error {
  /// Why a backup failed, for the log.
  fileprivate var backupReason: String {
    let error = self as? ServerDatabaseError
    if case .cannotOpen(let path, let reason) = error { return "\(path): \(reason.lowercased())" }
    if case .diskFailed(let path, let reason) = error { return "\(path): \(reason.lowercased())" }
    if case .diskFull(let path) = error { return "\(path): no room is left on its disk" }
    if case .notAllowed(let path) = error { return "\(path): permission denied" }
    if case .busy(let path) = error { return "\(path): another program uses it, or has just replaced it" }
    if case .noDatabase(let path) = error { return "\(path) is not there, or is empty" }
    guard case .backup(let problem) = error else { return "\(self)" }
    return switch problem {
    case .failed(let path, let reason), .damaged(let path, let reason): "\(path): \(reason)"
    case .notAllowed(let path): "\(path): permission denied"
    case .exists(let path): "\(path) is there already"
    case .noRoom(let path, let needed, let free): "\(path): it needs \(needed) bytes, and its disk has \(free) left"
    case .notABackup(let path), .newerVersion(let path), .olderVersion(let path), .inUse(let path),
      .ofOtherServer(let path, _), .withoutIdentity(let path):
      "\(path)"
    }
  }
}
