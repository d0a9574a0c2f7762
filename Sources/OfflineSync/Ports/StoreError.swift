/// What can be wrong with a local store, told apart by what a person can do about it.
package enum StoreError: Error, Sendable, Hashable {
  /// The file is no database, or not one of ours, or torn.
  case notAStore(path: String)
  /// The file was written by a newer version of the program.
  case newerVersion(path: String)
  /// The file or its folder may not be read or written.
  case notAllowed(path: String)
  /// The file or its folder can't be made or opened.
  case cannotOpen(path: String, reason: String)
  /// No room is left on the disk.
  case diskFull(path: String)
  /// Another program held the store for too long.
  case busy(path: String)
  /// Anything else the database says.
  case failed(path: String, reason: String)
}
