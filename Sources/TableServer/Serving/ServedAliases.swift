import FoundationEssentials
package import TableProtocol
package import TableStorage

/// The other names of columns that a database is served with (wire 1.1). It keeps them: a start that forgets an option
/// must not show clients the columns of a to-do item under names that they do not know.
struct ServedAliases {
  private let storage: any ServerStorage
  private let path: String

  init(_ storage: any ServerStorage, path: String) {
    self.storage = storage
    self.path = path
  }

  /// The names that are kept and those that are given. Keeps both. Throws if a value would not be seen any more under
  /// them.
  func adopt(_ given: ColumnNames) async throws -> ColumnNames {
    let names = try joined(given)
    if let hidden = try await HiddenColumns.all(in: storage, under: names).first {
      throw ServerError.aliasHides(hidden, path: path)
    }
    try storage.keep(names)
    return names
  }

  /// The same, where it is known that nothing would be hidden.
  func keep(_ given: ColumnNames) throws -> ColumnNames {
    let names = try joined(given)
    try storage.keep(names)
    return names
  }

  /// The same, after what would be hidden was moved to where it is seen.
  func adoptMoving(
    _ given: ColumnNames, clock: @escaping @Sendable () -> Timestamp
  ) async throws -> (names: ColumnNames, moved: [HiddenColumn]) {
    let names = try joined(given)
    let moved = try await HiddenColumns.move(in: storage, under: names, clock: clock)
    try storage.keep(names)
    return (names, moved)
  }

  private func joined(_ given: ColumnNames) throws -> ColumnNames {
    let kept = try storage.aliases()
    guard let names = kept.adding(given) else {
      throw ServerError.aliasDiffers(kept: kept.words.joined(separator: " "), path: path)
    }
    return names
  }
}

extension ServerDatabase {
  /// The other names that the database is served with, and what was moved for them.
  package struct Aliases: Sendable {
    /// As `text=title`.
    package let words: [String]
    package let moved: [HiddenColumn]
    /// Where a copy of the database is from before something was moved; nil if nothing was.
    package let copy: String?
  }

  /// Adds names to those that the database is served with, and moves what they would hide to where it is seen. No
  /// server may run: it would go on with the old names. Without names it only returns those there are.
  package func add(
    aliases: ColumnNames, clock: @escaping @Sendable () -> Timestamp,
    onCopy: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(ServerError) -> Aliases {
    try await withStorage(DatabaseUpdate(clock: clock, onCopy: onCopy), isAlone: !aliases.isEmpty) { storage in
      if aliases.isEmpty { return Aliases(words: try storage.aliases().words, moved: [], copy: nil) }
      let served = ServedAliases(storage, path: path)
      let names = try storage.aliases().adding(aliases)
      let hidden = try await HiddenColumns.all(in: storage, under: names ?? .none)
      guard !hidden.isEmpty else {
        let names = try served.keep(aliases)
        return Aliases(words: names.words, moved: [], copy: nil)
      }
      // PostgreSQL has its own tools for a copy.
      let copy = location.path.map { "\($0).before-alias.\(clock().inFileName)" }
      if let copy { _ = try backUp(to: copy) }
      do {
        let (names, moved) = try await served.adoptMoving(aliases, clock: clock)
        return Aliases(words: names.words, moved: moved, copy: copy)
      } catch {
        if let copy { try? FileManager.default.removeItem(atPath: copy) }
        throw error
      }
    }
  }

  /// Forgets all names: from the next start on columns have their own alone.
  package func removeAliases(
    clock: @escaping @Sendable () -> Timestamp, onCopy: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(ServerError) -> Aliases {
    try await withStorage(DatabaseUpdate(clock: clock, onCopy: onCopy), isAlone: true) { storage in
      try storage.keep(.none)
      return Aliases(words: [], moved: [], copy: nil)
    }
  }

  private func withStorage<Value: Sendable>(
    _ update: DatabaseUpdate, isAlone: Bool, _ body: (any ServerStorage) async throws -> Value
  ) async throws(ServerError) -> Value {
    do {
      let storage = try isAlone ? location.openAlone(update: update) : location.open(update: update)
      defer { try? storage.close() }
      return try await body(storage)
    } catch {
      throw ServerError(error, at: location)
    }
  }
}
