import FoundationEssentials
import Glibc
import OfflineSync
import Words

/// Whether there is room where the list is kept, and whether others can look into it.
struct StorePlaceCheck {
  let path: String

  /// In bytes.
  private static let littleSpace: UInt64 = 50_000_000

  func run(_ report: (Finding) -> Void) {
    if let free = freeSpace {
      let size = ErrorMessages.catalogue.number(Int(clamping: free / 1_000_000))
      report(
        free < Self.littleSpace
          ? .warn(.space, .spaceLow, ["size": size, "path": folder]) : .ok(.space, .spaceFree, ["size": size]))
    }
    report(privacy)
  }

  /// Throws `StoreError` where no list could be made.
  func requireRoom() throws {
    guard access(nearestFolder, W_OK | X_OK) == 0 else { throw StoreError.notAllowed(path: path) }
  }

  private var folder: String { URL(filePath: path).deletingLastPathComponent().path }

  /// The folder of the list, or the one that is there and in which it would be made.
  private var nearestFolder: String {
    var folder = folder
    while access(folder, F_OK) != 0 {
      let parent = URL(filePath: folder).deletingLastPathComponent().path
      if parent == folder { break }
      folder = parent
    }
    return folder
  }

  /// In bytes, for this user; nil where the system does not tell.
  private var freeSpace: UInt64? {
    var status = statvfs()
    guard statvfs(nearestFolder, &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }

  /// A folder that is closed to others protects whatever is in it.
  private var privacy: Finding {
    guard let folderMode = FileMode(folder), !folderMode.isClosedToOthers else { return .ok(.privacy, .privacyOwn) }
    if let mode = FileMode(path), !mode.isClosedToOthers {
      return .warn(.privacy, .privacyFile, ["path": path])
    }
    return folderMode.isOpenForWriting
      ? .warn(.privacy, .privacyFolder, ["path": folder]) : .ok(.privacy, .privacyOwn)
  }
}
