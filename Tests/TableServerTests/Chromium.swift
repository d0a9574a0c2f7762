import FoundationEssentials
import Glibc
import Support
import Synchronization

/// A browser without a window, with one page, driven by the DevTools protocol over a pair of pipes.
///
/// Over pipes no port has to be found, and nobody else can drive it.
final class Chromium: Sendable {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The names under which Debian and others install it.
  private static let programs = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
  /// Far more than anything takes: a browser that has died is noticed by its pipe.
  private static let patience: Int32 = 120_000

  private let pid: pid_t
  private let input: Int32
  private let output: Int32
  private let state = Mutex(State())

  private struct State {
    var lastID = 0
    var session: String?
    var unread: [UInt8] = []
    var problems: [String] = []
  }

  /// Runs `body` with a browser whose time zone is `timeZone`, then ends it.
  static func use(timeZone: String = "UTC", _ body: (Chromium) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "ebb-chromium-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let browser = try Chromium(home: folder.path, timeZone: timeZone)
    defer { browser.end() }
    let target = try await browser.command("Target.createTarget", ["url": "about:blank"]).targetId ?? ""
    let attached = try await browser.command("Target.attachToTarget", ["targetId": target, "flatten": true])
    browser.state.withLock { $0.session = attached.sessionId }
    for domain in ["Page", "Runtime", "Log"] { try await browser.command("\(domain).enable") }
    try await body(browser)
  }

  private init(home: String, timeZone: String) throws {
    let toBrowser = try Pipe()
    let fromBrowser = try Pipe()
    defer { for end in [toBrowser.reading, fromBrowser.writing] { close(end) } }
    guard let program = Self.programs.lazy.compactMap(Self.path).first else {
      throw Failure(description: "Chromium is not installed: install chromium, as Resources/run/deps.sh does.")
    }
    let sandbox = getuid() == 0 ? ["--no-sandbox"] : []
    pid = try Self.spawn(
      [
        program, "--headless", "--remote-debugging-pipe", "--user-data-dir=\(home)", "--disable-gpu", "--no-first-run",
        "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update", "--lang=en-US",
        "--hide-scrollbars",
      ] + sandbox,
      environment: ["HOME": home, "TZ": timeZone, "PATH": Self.folders.joined(separator: ":"), "LANG": "C.UTF-8"],
      input: toBrowser.reading, output: fromBrowser.writing)
    (input, output) = (toBrowser.writing, fromBrowser.reading)
  }

  private func end() {
    kill(-pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    close(input)
    close(output)
  }
}

/// What a test does with the page.
extension Chromium {
  enum Theme: String {
    case light, dark
  }

  func open(_ url: String) async throws {
    // The same page under another address behind the # would not be loaded again.
    try await command("Page.navigate", ["url": "about:blank"])
    try await command("Page.navigate", ["url": url])
    try await wait("location.href !== 'about:blank' && document.readyState === 'complete'")
  }

  func resize(width: Int, height: Int = 800, _ theme: Theme = .light) async throws {
    try await command(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": false])
    try await command(
      "Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": theme.rawValue]]])
  }

  /// Makes it the browser of a reader of these languages, the dearest first: `es-MX,en`.
  func speak(_ languages: String) async throws {
    try await command("Emulation.setUserAgentOverride", ["userAgent": "Chromium", "acceptLanguage": languages])
  }

  /// The value of an expression of JavaScript, as a text.
  @discardableResult
  func value(_ expression: String) async throws -> String {
    let answer = try await command(
      "Runtime.evaluate", ["expression": "String(\(expression))", "awaitPromise": true, "returnByValue": true])
    if let details = answer.exceptionDetails {
      throw Failure(description: details.exception?.description ?? details.text)
    }
    return answer.result?.value ?? ""
  }

  /// Waits until the expression is true.
  func wait(_ expression: String, _ comment: String = "") async throws {
    for _ in 0..<6_000 {
      // While one page gives way to the next there is nothing to ask.
      if (try? await value(expression)) == "true" { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    let text = try await value("document.body.innerText.slice(0, 2000)")
    throw Failure(description: "never true: \(expression) \(comment)\n\(text)")
  }

  /// Sets the value of a field as a person does, and sends its form.
  func submit(_ field: String, _ text: String) async throws {
    let quoted = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    try await value(
      "(() => { const field = document.getElementById('\(field)'); field.value = \(quoted); field.form.requestSubmit() })()"
    )
  }

  func press(_ key: String) async throws {
    for kind in ["keyDown", "keyUp"] {
      try await command(
        "Input.dispatchKeyEvent",
        [
          "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": Self.codes[key] ?? 0,
          "text": key == "Enter" ? "\r" : "",
        ])
    }
  }

  private static let codes = ["Tab": 9, "Enter": 13, "Escape": 27, "ArrowUp": 38, "ArrowDown": 40]

  /// What the page complained of: errors of its script, refusals of its policy.
  var problems: [String] { state.withLock(\.problems) }

  /// Keeps a picture of the page in the folder that `EBB_PICTURES` names, for people to look at.
  func picture(_ name: String) async throws {
    guard let folder = ProcessInfo.processInfo.environment["EBB_PICTURES"] else { return }
    let data = try await command("Page.captureScreenshot", ["format": "png"]).data
    try data.flatMap { Data(base64Encoded: $0) }?.write(to: URL(fileURLWithPath: folder).appending(path: "\(name).png"))
  }
}

/// The protocol: JSON, a NUL after each message.
extension Chromium {
  private struct Message: Decodable {
    let id: Int?
    let method: String?
    let result: Answer?
    let error: Complaint?
    let params: Event?
  }

  struct Complaint: Decodable { let message: String }

  struct Answer: Decodable {
    let targetId: String?
    let sessionId: String?
    let data: String?
    let result: Value?
    let exceptionDetails: Exception?
  }

  struct Value: Decodable { let value: String? }

  struct Exception: Decodable {
    struct Thrown: Decodable { let description: String? }
    let text: String
    let exception: Thrown?
  }

  private struct Event: Decodable {
    struct Entry: Decodable {
      let source: String
      let text: String
    }
    let entry: Entry?
    let exceptionDetails: Exception?
  }

  /// Nested dictionaries and arrays of texts, numbers and truths.
  @discardableResult
  private func command(_ method: String, _ parameters: [String: any Sendable] = [:]) async throws -> Answer {
    let (id, session) = state.withLock { state in
      state.lastID += 1
      return (state.lastID, state.session)
    }
    var message = #"{"id":\#(id),"method":"\#(method)","params":\#(try Self.json(parameters))"#
    if let session { message += #","sessionId":"\#(session)""# }
    let bytes = Array((message + "}\0").utf8)
    return try await blocking { [self] in try exchange(bytes, id) }
  }

  private static func json(_ value: any Sendable) throws -> String {
    switch value {
    case let value as Bool: return value ? "true" : "false"
    case let value as Int: return String(value)
    case let value as String: return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    case let value as [String: any Sendable]:
      return "{" + (try value.map { "\"\($0.key)\":\(try json($0.value))" }).joined(separator: ",") + "}"
    case let value as [any Sendable]: return "[" + (try value.map(json)).joined(separator: ",") + "]"
    case _: throw Failure(description: "no JSON: \(value)")
    }
  }

  private func exchange(_ bytes: [UInt8], _ id: Int) throws -> Answer {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure(description: "the browser has ended") }
      rest = rest.dropFirst(count)
    }
    while true {
      let message = try JSONDecoder().decode(Message.self, from: Data(try nextMessage()))
      if message.id == id {
        if let error = message.error { throw Failure(description: error.message) }
        guard let answer = message.result else { throw Failure(description: "an answer without a result") }
        return answer
      }
      note(message)
    }
  }

  /// An answer of the server that is an error is none of the page.
  private func note(_ message: Message) {
    if let entry = message.params?.entry, entry.source != "network" {
      state.withLock { $0.problems.append(entry.text) }
    }
    if message.method == "Runtime.exceptionThrown", let details = message.params?.exceptionDetails {
      state.withLock { $0.problems.append(details.exception?.description ?? details.text) }
    }
  }

  private func nextMessage() throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let message = state.withLock { state -> [UInt8]? in
        guard let end = state.unread.firstIndex(of: 0) else { return nil }
        defer { state.unread.removeFirst(end + 1) }
        return Array(state.unread[..<end])
      }
      if let message { return message }
      var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, Self.patience) == 1 else { throw Failure(description: "the browser says nothing") }
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { throw Failure(description: "the browser has ended") }
      state.withLock { $0.unread += buffer[..<count] }
    }
  }
}

/// Starting it.
extension Chromium {
  private static let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")

  private static func path(of program: String) -> String? {
    folders.lazy.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// Two ends that no program which is started meanwhile inherits, with numbers that are not those of the child.
  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
      defer { for end in ends { close(end) } }
      (reading, writing) = (fcntl(ends[0], F_DUPFD_CLOEXEC, 16), fcntl(ends[1], F_DUPFD_CLOEXEC, 16))
    }
  }

  /// The browser reads from number 3 and writes to number 4.
  private static func spawn(
    _ arguments: [String], environment: [String: String], input: Int32, output: Int32
  ) throws -> pid_t {
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    for number in Int32(0)...2 { posix_spawn_file_actions_addopen(&files, number, "/dev/null", O_RDWR, 0) }
    posix_spawn_file_actions_adddup2(&files, input, 3)
    posix_spawn_file_actions_adddup2(&files, output, 4)
    // The sockets of the servers of other tests. Numbers that are not open are passed over.
    for number in Int32(5)..<4_096 { posix_spawn_file_actions_addclose(&files, number) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var words = arguments.map { strdup($0) } + [nil]
    var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + settings { free(pointer) } }
    var pid: pid_t = 0
    let problem = posix_spawn(&pid, arguments[0], &files, &attributes, &words, &settings)
    guard problem == 0 else { throw Failure(description: String(cString: strerror(problem))) }
    return pid
  }
}
