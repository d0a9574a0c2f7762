/// Pull to refresh: what pressing on at the first row comes to.
///
/// The first pull makes the list give by a row; a second one within `patience` asks for a refresh. A held key must not,
/// and neither must a wheel that is still turning. Both are known by their rhythm: what follows within `repeating` is
/// the same movement going on. A terminal does not tell of keys let go, and the first repeat of a held key comes as
/// late as a second press; so a second press counts only when nothing follows it for `repeating`.
struct PullGesture: Equatable, Sendable {
  /// All in milliseconds.
  static let patience = 600
  static let repeating = 150
  /// How many notches of a wheel are one pull.
  static let notches = 3

  private(set) var state = State.closed
  /// When the last pull or movement towards the top came, whatever became of it.
  private var lastStep: Int?
  private var notchCount = 0

  enum State: Equatable, Sendable {
    case closed
    /// The list has given by a row, and springs back then.
    case given(until: Int)
    /// Pulled a second time: a refresh begins then, unless the key turns out to be held.
    case released(at: Int)
  }

  enum Source: Sendable {
    case key, wheel
  }

  /// The line above the first row shows.
  var isOpen: Bool { state != .closed }

  /// The uptime at which `turn` has something to do; nil when nothing will happen by itself.
  var deadline: Int? {
    switch state {
    case .closed: nil
    case .given(let until): until
    case .released(let at): at
    }
  }

  /// The list moved towards its top, which is no pull; what follows at once is still the same movement.
  mutating func noteMovement(at uptime: Int) {
    lastStep = uptime
    notchCount = 0
    state = .closed
  }

  /// Something went on towards the top although the first row was reached.
  mutating func pull(_ source: Source, at uptime: Int) {
    let isRepeat = lastStep.map { uptime - $0 < Self.repeating } ?? false
    lastStep = uptime
    switch source {
    case .key: press(isRepeat: isRepeat, at: uptime)
    case .wheel: turnWheel(isRepeat: isRepeat, at: uptime)
    }
  }

  /// True when it is time for the refresh.
  mutating func turn(at uptime: Int) -> Bool {
    guard let deadline, deadline <= uptime else { return false }
    defer { state = .closed }
    if case .released = state { return true }
    return false
  }

  mutating func close() {
    state = .closed
    notchCount = 0
  }

  private mutating func press(isRepeat: Bool, at uptime: Int) {
    switch state {
    case .closed: if !isRepeat { state = .given(until: uptime + Self.patience) }
    case .given: if !isRepeat { state = .released(at: uptime + Self.repeating) }
    // It is held: the list gives, and nothing comes of it.
    case .released: state = .given(until: uptime + Self.patience)
    }
    if isRepeat, case .given = state { state = .given(until: uptime + Self.patience) }
  }

  /// Notches of one turning that began below the first row are no pull, and neither is what follows a pull at once.
  private mutating func turnWheel(isRepeat: Bool, at uptime: Int) {
    if !isRepeat || notchCount > 0 { notchCount += 1 }
    guard notchCount >= Self.notches else { return }
    notchCount = 0
    switch state {
    case .closed: state = .given(until: uptime + Self.patience * 2)
    case .given: state = .released(at: uptime)
    case .released: break
    }
  }
}
