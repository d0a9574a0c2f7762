import Exchange
import Glibc
import Words

/// Why nothing was imported.
enum ExchangeFailure: Error {
  /// No file was named, and a terminal is no file.
  case noInput
  /// With the `errno`.
  case unreadable(String, Int32)
  case tooLarge(String, megabytes: Int)
  /// A folder without a file of a calendar.
  case noCalendars(String)
  case problem(String, ImportProblem)
  /// There is no item in it.
  case nothing(String)
  case declined
}

extension ExchangeFailure {
  var status: Int32 {
    switch self {
    case .noInput: ExitStatus.wrongUsage
    case .unreadable(_, EACCES), .unreadable(_, EPERM): ExitStatus.notAllowed
    case .unreadable, .tooLarge, .noCalendars, .problem, .nothing, .declined: ExitStatus.failed
    }
  }

  var sentence: String {
    let words = ErrorMessages.catalogue
    switch self {
    case .noInput: return words.text(.noInput)
    case .unreadable(let path, let code):
      return words.text(.unreadable, ["path": Self.shown(path), "reason": words.reason(ofSystem: code)])
    case .tooLarge(let name, let megabytes):
      return words.text(.tooLarge, ["name": Self.shown(name), "size": "\(megabytes)"])
    case .noCalendars(let path): return words.text(.noCalendars, ["path": path.printable])
    case .problem(let name, let problem): return Self.sentence(of: problem, Self.shown(name))
    case .nothing(let name): return words.text(.noItems, ["name": Self.shown(name)])
    case .declined: return words.text(.declined)
    }
  }

  private static func sentence(of problem: ImportProblem, _ name: String) -> String {
    let words = ErrorMessages.catalogue
    return switch problem {
    case .notText: words.text(.notText, ["name": name])
    case .notUTF8: words.text(.notUTF8, ["name": name])
    case .isUTF16: words.text(.isUTF16, ["name": name])
    case .empty: words.text(.noItems, ["name": name])
    case .notOfFormat(let format, let line?):
      words.text(.notOfFormatAt, ["name": name, "format": format.rawValue, "line": String(line)])
    case .notOfFormat(let format, nil): words.text(.notOfFormat, ["name": name, "format": format.rawValue])
    case .damagedJSON(let line): words.text(.damagedJSON, ["name": name, "line": String(line)])
    case .jsonEndsEarly(let line): words.text(.jsonEndsEarly, ["name": name, "line": String(line)])
    case .noTextColumn(let line): words.text(.noTextColumn, ["name": name, "line": String(line)])
    case .newerVersion(let version): words.text(.newerVersion, ["name": name, "version": String(version)])
    }
  }

  private static func shown(_ name: String) -> String {
    name == "-" ? ErrorMessages.catalogue.text(.standardInput) : name.printable
  }
}
