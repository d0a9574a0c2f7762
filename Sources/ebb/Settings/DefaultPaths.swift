import FoundationEssentials
import Glibc
import Words

/// The default paths of files, by the XDG base directory specification. A variable that is empty or not an absolute
/// path counts as unset.
struct DefaultPaths {
  private let environment: EnvironmentVariables

  init(_ environment: EnvironmentVariables) {
    self.environment = environment
  }

  func data(_ file: String) -> String {
    folder("XDG_DATA_HOME", or: ".local/share") + "/ebb/" + file
  }

  func configuration(_ file: String) -> String {
    folder("XDG_CONFIG_HOME", or: ".config") + "/ebb/" + file
  }

  /// A path as it was typed, made absolute: a relative one begins in the folder of the program. `~/` is the home
  /// folder.
  func absolute(_ typed: String) -> String { path(typed, in: FileManager.default.currentDirectoryPath) }

  /// The same of a path that begins in another folder. By hand: a URL would take a tenth of the time in which an item
  /// is added.
  func path(_ path: String, in folder: @autoclosure () -> String) -> String {
    if path == "~" || path.hasPrefix("~/") { return home + path.dropFirst() }
    if path.hasPrefix("/") { return path }
    let start = folder().split(separator: "/")
    let parts = path.split(separator: "/").reduce(into: start) { parts, part in
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return parts.isEmpty ? "/" : parts.reduce(into: "") { $0 += "/" + $1 }
  }

  /// The path without symbolic links: lock and log are found beside the file itself, and a file that is not there yet
  /// is made where its link leads.
  static func resolved(_ path: String) -> String { resolved(path, linksLeft: 16) }

  private static func resolved(_ path: String, linksLeft: Int) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    guard linksLeft > 0, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
      return path
    }
    let folder = URL(filePath: path).deletingLastPathComponent()
    return resolved(target.hasPrefix("/") ? target : folder.appending(path: target).path, linksLeft: linksLeft - 1)
  }

  private func folder(_ variable: String, or relative: String) -> String {
    if let path = environment[variable], path.hasPrefix("/") { return path }
    return home + "/" + relative
  }

  private var home: String {
    if let home = environment["HOME"], home.hasPrefix("/") { return home }
    return FileManager.default.homeDirectoryForCurrentUser.path
  }
}
