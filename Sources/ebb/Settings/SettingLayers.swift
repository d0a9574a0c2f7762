import Configuration
import FoundationEssentials

/// The places a setting may come from, the one that wins first: flag, environment, file.
struct SettingLayers {
  private let environment: [String: String]
  private let file: YAMLSnapshot?

  init(_ flags: SettingFlags, environment: [String: String], places: StandardPlaces) throws {
    self.environment = environment
    let named = [flags.config, environment["EBB_CONFIG"]].lazy.compactMap(Self.present).first
    file = try Self.file(named.map(places.absolute), places)
  }

  /// A file that was named must be there; the default one need not.
  private static func file(_ named: String?, _ places: StandardPlaces) throws -> YAMLSnapshot? {
    let path = named ?? places.configuration("config.yaml")
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      guard named == nil else { throw CommandFailure.unreadableConfiguration(path, reason: "it can't be read") }
      return nil
    }
    let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard lines.contains(where: { $0.contains { !$0.isWhitespace } && $0.first { !$0.isWhitespace } != "#" })
    else { return nil }
    do {
      return try YAMLSnapshot(data: data.bytes, providerName: path, parsingOptions: .default)
    } catch {
      throw CommandFailure.unreadableConfiguration(path, reason: "it is not `key: value` lines")
    }
  }

  /// The value of the first place that has one. An empty text counts as none.
  func text(flag: String?, variable: String?, key: String) -> String? {
    Self.present(flag) ?? Self.present(variable.flatMap { environment[$0] }) ?? Self.present(stored(key))
  }

  private func stored(_ key: String) -> String? {
    guard case .string(let text)? = try? file?.value(forKey: AbsoluteConfigKey([key]), type: .string).value?.content
    else { return nil }
    return text
  }

  private static func present(_ text: String?) -> String? {
    text?.isEmpty == false ? text : nil
  }
}
