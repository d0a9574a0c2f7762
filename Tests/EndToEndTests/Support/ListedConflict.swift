/// One element of `ebb conflicts --json`.
struct ListedConflict: Decodable, Equatable {
  let handle: String
  let id: String
  let kind: String
  let status: Int
  let reason: String?
  let base: Copy?
  let mine: Copy?
  let theirs: Copy?
  let merged: String?

  struct Copy: Decodable, Equatable {
    let text: String
    let complete: Bool
  }
}
