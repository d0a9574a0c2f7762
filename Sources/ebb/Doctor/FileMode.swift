import Glibc

/// Who may do what with a file or folder.
struct FileMode {
  private let mode: mode_t

  /// Nil where there is none.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    mode = status.st_mode
  }

  var isClosedToOthers: Bool { mode & 0o077 == 0 }
  /// Others may put their files in the place of ours.
  var isOpenForWriting: Bool { mode & 0o022 != 0 && mode & S_ISVTX == 0 }
}
