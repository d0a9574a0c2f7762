/// A key that two commands claim in one place. The first of them has it.
package struct KeyCollision: Equatable, Sendable {
  /// Its name.
  package let key: String
  package let first: Command
  package let second: Command
}
