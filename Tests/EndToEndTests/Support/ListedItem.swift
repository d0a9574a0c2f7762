/// One element of `ebb list --json`.
struct ListedItem: Decodable, Equatable {
  let handle: String
  let id: String
  let text: String
  let complete: Bool
  let createdAt: String?
  let updatedAt: String?
  let version: String?
  let pending: String?
  let conflict: Bool?
}

/// `ebb status --json`.
struct ListedStatus: Decodable, Equatable {
  let pending: Int
  let conflicts: Int
  let lastPush: String?
  let lastPull: String?
  let server: String?
}

/// `ebb sync --json`.
struct ListedSync: Decodable, Equatable {
  let pushed: Int
  let pulled: Int
  let conflicts: Int
  let failed: Int
  let requests: Int
  let here: Int?
  let there: Int?
  let same: Bool?
}
