import FoundationEssentials
import TableClient

/// Where the list is and which server it belongs to: flag, environment, configuration file, default,
/// in this order of precedence.
struct Settings {
  let store: String
  let server: ServerAddress?
  /// What proves to the server who is asking.
  let token: String?

  /// Throws `CommandFailure` for a setting that can't be used.
  init(_ flags: SettingFlags, environment: [String: String], offline: Bool) throws {
    let places = StandardPlaces(environment)
    let layers = try SettingLayers(flags, environment: environment, places: places)
    store =
      StandardPlaces.resolved(
        layers.text(flag: flags.store, variable: "EBB_STORE", key: "store").map(places.absolute)
          ?? places.data("ebb.sqlite"))
    guard !offline else {
      server = nil
      token = nil
      return
    }
    server = try layers.text(flag: flags.server, variable: "EBB_SERVER", key: "server").map { text in
      guard let address = ServerAddress(text) else { throw CommandFailure.badServer(text) }
      return address
    }
    token = try Self.token(flags, layers, places, inEnvironment: environment["EBB_TOKEN"])
  }

  /// The environment holds the token itself, the other places the name of a file that holds it.
  private static func token(
    _ flags: SettingFlags, _ layers: SettingLayers, _ places: StandardPlaces, inEnvironment token: String?
  ) throws -> String? {
    if let token, !token.isEmpty, flags.tokenFile == nil { return token }
    guard let file = layers.text(flag: flags.tokenFile, variable: nil, key: "tokenFile").map(places.absolute)
    else { return nil }
    let data = try? Data(contentsOf: URL(filePath: file))
    let words = data.map { String(decoding: $0, as: UTF8.self).split(whereSeparator: \.isWhitespace) }
    guard let token = words?.first else { throw CommandFailure.unreadableToken(file) }
    return String(token)
  }
}
