/// A value that a setting can't have.
struct BadSetting: Equatable, Sendable {
  /// The configuration file; nil for a flag.
  let place: String?
  let key: String
  let value: String
  /// What it could be, as it would be written.
  private(set) var allowed = ""

  init(place: String?, key: String, value: String) {
    self.place = place
    self.key = key
    self.value = value
  }

  func allowing(_ allowed: String) -> BadSetting {
    var problem = self
    problem.allowed = allowed
    return problem
  }
}
