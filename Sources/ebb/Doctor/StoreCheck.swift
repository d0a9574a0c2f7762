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
      report(.ok(.changes, words: ErrorMessages.catalogue.number(status.pending)))
      let values: KeyValuePairs = ["conflicts": String(status.conflicts), "refused": String(status.refused)]
      let isQuiet = status.conflicts == 0 && status.refused == 0
      report(isQuiet ? .ok(.conflicts, .nothing) : .warn(.conflicts, .conflictsWait, values))
    } catch {
      report(.fail(.changes, error))
    }
  }
}
