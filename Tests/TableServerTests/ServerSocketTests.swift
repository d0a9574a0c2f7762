import FoundationEssentials
import Glibc
import StorageSupport
import Testing

@testable import TableServer

@Suite("The socket of a server in a file")
struct ServerSocketTests {
  private func mode(_ path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int).map { $0 & 0o777 }
  }

  @Test("is bound where nobody else can come, whatever mode the system gives it, and gets its own with its name")
  func draft() async throws {
    try await ServerDatabaseFile.use { file in
      let path = file.folder.appending(path: "a.sock").path
      let place = try ServerSocket(path: path, mode: 0o660)
      let folder = URL(filePath: place.draft).deletingLastPathComponent().path
      #expect(folder != file.folder.path)
      #expect(try mode(folder) == 0o700)
      let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(number) }
      let address = try #require(UnixAddress(place.draft))
      #expect(address.with { bind(number, $0, $1) } == 0)
      chmod(place.draft, 0o777)
      let published = try place.publish()
      #expect(try mode(path) == 0o660)
      #expect(try file.names == ["a.sock"])
      place.remove(published)
      #expect(try file.names.isEmpty)
    }
  }

  @Test("leaves nothing behind if it is not published")
  func unpublished() async throws {
    try await ServerDatabaseFile.use { file in
      let place = try ServerSocket(path: file.folder.appending(path: "a.sock").path, mode: 0o600)
      #expect(try file.names.count == 1)
      place.remove(nil)
      #expect(try file.names.isEmpty)
    }
  }
}
