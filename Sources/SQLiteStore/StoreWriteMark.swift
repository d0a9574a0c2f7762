import Glibc

/// The sign that a commit can be read: the log's time of change is set anew after it.
enum StoreWriteMark {
  static func file(of storePath: String) -> String { storePath + "-wal" }

  static func leave(_ storePath: String) {
    utimensat(AT_FDCWD, file(of: storePath), nil, 0)
  }
}
