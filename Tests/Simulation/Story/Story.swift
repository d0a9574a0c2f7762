/// A world and all that happens in it.
package struct Story: Sendable, Hashable {
  package let seed: UInt64
  package let settings: WorldSettings
  package var steps: [Step]
}
