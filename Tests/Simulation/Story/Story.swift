/// A world and all that happens in it.
package struct Story: Sendable, Hashable {
  package let seed: UInt64
  package var settings: WorldSettings
  package var steps: [Step]
}
