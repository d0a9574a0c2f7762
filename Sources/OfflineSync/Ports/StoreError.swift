/// A failure of the local store. The cases differ in what a person can do about them.
///
/// `path` is that of the store's file, and `reason` the words of the system or of the database.
public enum StoreError: Error, Sendable, Hashable {
  /// The file is not a database, not a store of this program, or damaged.
  case notAStore(path: String)
  /// The file was written by a newer version of the program.
  case newerVersion(path: String)
  /// The program has no permission to read or write the file or its folder.
  case notAllowed(path: String)
  /// The file or its folder can't be created or opened.
  case cannotOpen(path: String, reason: String)
  /// The file is empty, and the log beside it is not: a copy or a full disk cut it off. Nothing was changed.
  case emptied(path: String)
  /// There is no file, but the log of one: the file was moved away without its log. Nothing was changed.
  case missing(path: String)
  /// The file was removed, or another one is in its place, since the store was opened: what is written would be lost.
  case fileGone(path: String)
  /// The disk is full.
  case diskFull(path: String)
  /// Another program held the store for too long.
  case busy(path: String)
  /// Any other error of the database.
  case failed(path: String, reason: String)
}
