extension Story {
  /// The first world, by seed, in which a law notices what is broken. Nil when a few thousand don't. Worlds without
  /// the edges that it takes are passed over.
  package static func first(noticing breakage: Breakage) -> Story? {
    let laws = breakage.law.map { [$0] } ?? Set(Law.allCases)
    return (1...5_000).lazy.map { StoryTeller.story(seed: $0, laws: laws) }.first { story in
      story.settings.edges.isSuperset(of: breakage.edges) && story.told(breakage: breakage).violation != nil
        && story.told().violation == nil
    }
  }
}
