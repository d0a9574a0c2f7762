import Glibc

/// One run of a program on this machine. Its name tells it from every other run, also after a restart.
package struct ProgramRun: Sendable {
  private let makeName: @Sendable () -> String
  /// True while the run of that name goes on.
  let isGoingOn: @Sendable (String) -> Bool

  package init(name: @escaping @autoclosure @Sendable () -> String, isGoingOn: @escaping @Sendable (String) -> Bool) {
    makeName = name
    self.isGoingOn = isGoingOn
  }

  /// The start of the machine, the process and the start of the process.
  var name: String { makeName() }

  /// The run of this process. Its name is read when it is asked for: a list that is only opened needs none.
  package static let own = ProgramRun(name: ownName, isGoingOn: isGoingOn)
  private static let ownName = name(ofProcess: getpid()) ?? ""

  /// A process that has ended and is not buried yet does not go on.
  private static func isGoingOn(_ name: String) -> Bool {
    guard let number = name.split(separator: " ").dropFirst().first, let process = pid_t(number) else { return false }
    return name == Self.name(ofProcess: process)
  }

  /// Nil if there is no such process, or it has ended.
  private static func name(ofProcess process: pid_t) -> String? {
    // The name of the program stands in parentheses and may hold anything; behind it come state and numbers (proc(5)).
    guard let status = read("/proc/\(process)/stat"), let end = status.lastIndex(of: ")"),
      let machine = read("/proc/sys/kernel/random/boot_id")
    else { return nil }
    let fields = status[status.index(after: end)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return machine.prefix { !$0.isWhitespace } + " \(process) " + fields[19]
  }

  private static func read(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
  }
}
