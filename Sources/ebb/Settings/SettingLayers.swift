import Configuration
import FoundationEssentials

/// The places a setting may come from, the one that wins first.
struct SettingLayers {
  private let flags: any ConfigSnapshot
  private let layers: [any ConfigSnapshot]

  init(_ options: SettingsOptions, environment: [String: String], places: StandardPlaces) throws {
    flags = InMemoryProvider(name: "flags", values: options.values).snapshot()
    let variables = EnvironmentVariablesProvider(environmentVariables: environment)
      .prefixKeys(with: "ebb").snapshot()
    let file = try Self.file(options.config ?? environment["EBB_CONFIG"], places)
    layers = [flags, variables] + [file].compactMap(\.self)
  }

  /// A file that was named must be there; the default one need not.
  private static func file(_ named: String?, _ places: StandardPlaces) throws -> (any ConfigSnapshot)? {
    let name = named.flatMap { $0.isEmpty ? nil : places.absolute($0) }
    let path = name ?? places.configuration("config.yaml")
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      if let name { throw CommandFailure.unreadableConfiguration(name, reason: "it can't be read") }
      return nil
    }
    guard data.contains(where: { !UInt8.isBlank($0) }) else { return nil }
    do {
      return try YAMLSnapshot(data: data.bytes, providerName: path, parsingOptions: .default)
    } catch {
      throw CommandFailure.unreadableConfiguration(path, reason: "it is not `key: value` lines")
    }
  }

  /// The value of the first place that has one. An empty text counts as none.
  func text(_ key: String) throws -> String? {
    for layer in layers {
      if let text = Self.text(key, in: layer) { return text }
    }
    return nil
  }

  func flag(_ key: String) -> String? {
    Self.text(key, in: flags)
  }

  private static func text(_ key: String, in layer: any ConfigSnapshot) -> String? {
    guard let value = try? layer.value(forKey: AbsoluteConfigKey([key]), type: .string).value,
      case .string(let text) = value.content, !text.isEmpty
    else { return nil }
    return text
  }
}

extension UInt8 {
  static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }
}
