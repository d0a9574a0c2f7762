import Foundation

/// A program of Debian that `deps.sh` unpacks for the tests, or that the system has anyway.
package struct UnpackedProgram: Sendable {
  package let name: String
  private let folder: String

  package init(_ name: String) {
    self.name = name
    folder = FileManager.default.currentDirectoryPath + "/.build/" + name
  }

  /// Nil if it is neither here nor there.
  package var path: String? {
    [folder + "/usr/sbin/" + name, "/usr/sbin/" + name].first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  package var isThere: Bool { path != nil }

  /// What the program is started with, so that it finds the libraries that were unpacked beside it.
  package var environment: [String: String] {
    libraries.map { ["LD_LIBRARY_PATH": $0] } ?? [:]
  }

  /// The folder of this machine's libraries: `usr/lib/x86_64-linux-gnu`.
  private var libraries: String? {
    let parts = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/usr/lib")) ?? []
    return parts.first { $0.contains("-linux-gnu") }.map { folder + "/usr/lib/" + $0 }
  }
}
