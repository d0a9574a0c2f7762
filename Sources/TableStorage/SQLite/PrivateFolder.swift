import FoundationEssentials

/// A folder that only its owner can read.
package enum PrivateFolder {
  /// Makes the folder, and those above it that are missing. Does nothing if it is there.
  package static func make(_ path: String) throws(ServerDatabaseError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ServerDatabaseError(file: error, path: path)
    }
  }
}
