import Configuration
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
  init(_ options: SettingsOptions, environment: [String: String]) throws {
    let places = StandardPlaces(environment)
    let layers = try SettingLayers(options, environment: environment, places: places)
    store = try layers.text("store").map(places.absolute) ?? places.data("ebb.sqlite")
    server = try layers.text("server").map { text in
      guard let address = ServerAddress(text) else { throw CommandFailure.badServer(text) }
      return address
    }
    token = try Self.token(layers, environment, places)
  }

  /// The environment holds the token itself, the other places the name of a file that holds it.
  private static func token(
    _ layers: SettingLayers, _ environment: [String: String], _ places: StandardPlaces
  ) throws -> String? {
    if let token = environment["EBB_TOKEN"], !token.isEmpty, layers.flag("tokenFile") == nil { return token }
    guard let file = try layers.text("tokenFile").map(places.absolute) else { return nil }
    guard let data = try? Data(contentsOf: URL(filePath: file)) else { throw CommandFailure.unreadableToken(file) }
    let token = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace).first
    guard let token else { throw CommandFailure.unreadableToken(file) }
    return String(token)
  }
}
