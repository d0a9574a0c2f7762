import FoundationEssentials
import Glibc
import OfflineSync
import SQLiteStore
import TodoCore
import Words

/// Whether the list is there, whole and private, and what waits in it.
struct StoreCheck {
  let settings: DoctorSettings

  /// Gives the store where it can be read.
  func run(_ report: (Finding) -> Void) -> StoreInspection? {
    guard let place = settings.store else {
      report(.warn(.store, .notLookedAt))
      return nil
    }
    let store = open(place, report)
    StorePlaceCheck(path: place.value).run(report)
    if let store { waiting(store, report) }
    return store
  }

  private func open(_ place: DoctorSettings.Found, _ report: (Finding) -> Void) -> StoreInspection? {
    do {
      guard let store = try StoreInspection(path: place.value) else {
        try StorePlaceCheck(path: place.value).requireRoom()
        report(.ok(.store, .storeNotYet, ["path": place.value, "origin": place.origin.words]))
        return nil
      }
      report(.ok(.store, place))
      return isWhole(store, report) ? store : nil
    } catch {
      report(.fail(.store, error))
      return nil
    }
  }

  private func isWhole(_ store: StoreInspection, _ report: (Finding) -> Void) -> Bool {
    do {
      if let damage = try store.damage().first {
        report(.fail(.contents, .contentsDamaged, ["path": store.path, "reason": damage]))
        return false
      }
      report(.ok(.contents, .contentsWhole))
      let version = try store.version()
      let current = StoreInspection.currentVersion
      report(
        version == current
          ? .ok(.version, words: String(version))
          : .ok(.version, .versionOlder, ["version": String(version), "current": String(current)]))
      return true
    } catch {
      report(.fail(.contents, error))
      return false
    }
  }

  private func waiting(_ store: StoreInspection, _ report: (Finding) -> Void) {
    do {
      let status = try store.read { try SyncStatus(of: settings.server?.value ?? "", in: $0) }
      report(.ok(.changes, words: ErrorMessages.catalogue.number(status.toSend)))
      let isQuiet = status.conflicts == 0 && status.refused == 0
      report(isQuiet ? .ok(.conflicts, .nothing) : .warn(.conflicts, words: ErrorMessages.decisions(in: status)))
    } catch {
      report(.fail(.changes, error))
    }
  }
}

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
          ? .warn(.space, .spaceLow, ["size": size, "path": folder.path]) : .ok(.space, .spaceFree, ["size": size]))
    }
    report(privacy)
  }

  /// Throws `StoreError` where no list could be made.
  func requireRoom() throws {
    guard access(folder.nearest, W_OK | X_OK) == 0 else { throw StoreError.notAllowed(path: path) }
  }

  private var folder: FileFolder { FileFolder(of: path) }

  /// In bytes, for this user; nil where the system does not tell.
  private var freeSpace: UInt64? {
    var status = statvfs()
    guard statvfs(folder.nearest, &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }

  /// A folder that is closed to others protects whatever is in it.
  private var privacy: Finding {
    guard let folderMode = FileMode(folder.path), !folderMode.isClosedToOthers else {
      return .ok(.privacy, .privacyOwn)
    }
    if let mode = FileMode(path), !mode.isClosedToOthers {
      return .warn(.privacy, .privacyFile, ["path": path])
    }
    return folderMode.isOpenForWriting
      ? .warn(.privacy, .privacyFolder, ["path": folder.path]) : .ok(.privacy, .privacyOwn)
  }
}

/// Who may do what with a file or folder.
struct FileMode {
  /// The permissions, with the bit of folders in which nobody removes the files of others.
  let mode: UInt

  /// Nil if there is no such file.
  init?(_ path: String) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: DefaultPaths.resolved(path))
    guard let mode = attributes?[.posixPermissions] as? UInt else { return nil }
    self.mode = mode
  }

  var isClosedToOthers: Bool { mode & 0o077 == 0 }
  /// Others may put their files in the place of ours.
  var isOpenForWriting: Bool { mode & 0o022 != 0 && mode & UInt(S_ISVTX) == 0 }
}
