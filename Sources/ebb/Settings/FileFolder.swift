import FoundationEssentials
import Glibc

/// The folder of a file. Neither of the two has to be there.
struct FileFolder {
  let path: String

  init(of file: String) {
    path = URL(filePath: file).deletingLastPathComponent().path
  }

  /// The paths that are missing, this one first, up to the first that is there.
  private var missing: [String] {
    var (missing, folder) = ([String](), path)
    while access(folder, F_OK) != 0 {
      missing.append(folder)
      let parent = Self(of: folder).path
      if parent == folder { break }
      folder = parent
    }
    return missing
  }

  /// The path of this folder, or of the nearest one above that is there.
  var nearest: String { missing.last.map { Self(of: $0).path } ?? path }

  /// Makes this folder and those above it, if they are missing; only their owner can look into them. Returns nil, or
  /// the `errno` of what failed.
  func make() -> Int32? {
    for folder in missing.reversed() where mkdir(folder, 0o700) != 0 && errno != EEXIST { return errno }
    return nil
  }
}
