import Foundation

/// The permissions of a file or folder, such as 0o600.
func permissions(of path: String) throws -> Int {
  guard let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int else {
    throw Failure("\(path) has no permissions")
  }
  return mode
}
