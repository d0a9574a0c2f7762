/// A failure of the local store. The cases differ in what a person can do about them.
public enum StoreError: Error, Sendable, Hashable {
  /// The file is not a database, not a store of this program, or damaged.
  case notAStore(path: String)
  /// The file was written by a newer version of the program.
  case newerVersion(path: String)
  /// The program has no permission to read or write the file or its folder.
  case notAllowed(path: String)
  /// The file or its folder can't be created or opened.
  case cannotOpen(path: String, reason: String)
  /// The disk is full.
  case diskFull(path: String)
  /// Another program held the store for too long.
  case busy(path: String)
  /// Any other error of the database.
  case failed(path: String, reason: String)
}
