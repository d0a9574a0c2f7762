extension Story {
  /// The first world, by seed, in which a law notices what is broken. Nil when a few thousand don't.
  package static func first(noticing breakage: Breakage) -> Story? {
    (1...5_000).lazy.map { StoryTeller.story(seed: $0) }.first { story in
      story.told(breakage: breakage).violation != nil && story.told().violation == nil
    }
  }
}
