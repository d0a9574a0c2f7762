import Testing

@Suite("The whole path, from keypress to server and back", .timeLimit(.minutes(5)))
struct OfflineThenRefreshTests {
  @Test("what is done offline survives, reaches the server at a refresh, and then the second device")
  func story() async throws {
    try await Workspace.use { workspace in
      var story = OfflineStory(workspace)
      try await story.worksOffline()
      try await story.survivesBeingKilled()
      try await story.hasSentNothing()
      try await story.refreshesAndStaysUsable()
      try await story.reachesTheSecondDevice()
      try await story.bringsBackWhatTheSecondDeviceDid()
      try await story.survivesRestarts()
      try await story.asksOnceWhenNothingIsNew()
    }
  }
}
