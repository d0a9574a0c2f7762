import Glibc

/// Why the system could not do something with a file, by the names in `Resources/strings/*.strings`: for the errors
/// that users meet. For any other the system's own word has to do, which is English.
package enum SystemKey: String, CaseIterable, Sendable {
  case noSuchFile = "system.noSuchFile"
  case notAllowed = "system.notAllowed"
  case isFolder = "system.isFolder"
  case noFolder = "system.noFolder"
  case diskFull = "system.diskFull"
  case quotaUsedUp = "system.quotaUsedUp"
  case readOnly = "system.readOnly"
  case tooManyFiles = "system.tooManyFiles"
  case closedPipe = "system.closedPipe"
  case linksInCircle = "system.linksInCircle"
  case nameTooLong = "system.nameTooLong"
  case deviceFailed = "system.deviceFailed"

  /// The number of the system's error.
  var code: Int32 {
    switch self {
    case .noSuchFile: ENOENT
    case .notAllowed: EACCES
    case .isFolder: EISDIR
    case .noFolder: ENOTDIR
    case .diskFull: ENOSPC
    case .quotaUsedUp: EDQUOT
    case .readOnly: EROFS
    case .tooManyFiles: EMFILE
    case .closedPipe: EPIPE
    case .linksInCircle: ELOOP
    case .nameTooLong: ENAMETOOLONG
    case .deviceFailed: EIO
    }
  }

  /// The system's own words in small letters, as within a sentence.
  static func systemWords(for code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}

extension Catalogue {
  /// The reason for an error of the system, by its number.
  package func reason(ofSystem code: Int32) -> String {
    reason(saidBySystem: SystemKey.systemWords(for: code))
  }

  /// The same for the words of `strerror`, which errors of the rooms below carry: these rooms have no catalogue. Words
  /// of others are returned as they are.
  package func reason(saidBySystem words: String) -> String {
    let key = SystemKey.allCases.first { SystemKey.systemWords(for: $0.code) == words.lowercased() }
    return key.map { text(named: $0.rawValue) } ?? words
  }
}
