import CStrings
import Glibc

/// Environment variables, each looked up when it is asked for: to copy them all takes longer than what a start asks.
package struct EnvironmentVariables: Sendable {
  /// Nil for those of the process.
  private let given: [String: String]?

  /// Those of the process. Not while something sets them.
  package static let ofProcess = EnvironmentVariables(given: nil)

  package subscript(name: String) -> String? {
    if let given { return given[name] }
    return getenv(name).map { String(cString: $0) }
  }

  /// The names of all that are set, in no order.
  package var names: [String] {
    if let given { return Array(given.keys) }
    var names: [String] = []
    var entry = environ
    while let text = entry.pointee {
      names.append(String(String(cString: text).prefix { $0 != "=" }))
      entry += 1
    }
    return names
  }
}

extension EnvironmentVariables: ExpressibleByDictionaryLiteral {
  package init(_ variables: [String: String]) { self.init(given: variables) }

  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(given: Dictionary(elements) { first, _ in first })
  }
}

/// A language the program speaks. The raw value is the name of its file in `Resources/strings`.
package enum Language: String, CaseIterable, Sendable {
  case english = "en"
  case spanish = "es"
  case japanese = "ja"
  case traditionalChinese = "zh-Hant"

  /// The language the environment asks for: that of the first of `LC_ALL`, `LC_MESSAGES`, `LANG` that is set and not
  /// empty, and English for `C`, `POSIX` and whatever else is not spoken here.
  ///
  /// As in GNU gettext `LANGUAGE` may name several, as in `zh_CN:zh_TW:es`; the first that is spoken here is taken, but
  /// not where the locale is `C`. Simplified Chinese (`zh`, `zh_CN`, `zh_SG`) is another way to write, of which not
  /// every reader knows the traditional one: it gets English, unless `LANGUAGE` says that `zh_TW` will do.
  package static func chosen(_ environment: EnvironmentVariables) -> Language {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    let parts = LocaleName(locale)
    guard parts.language != "c", parts.language != "posix" else { return .english }
    let listed = environment["LANGUAGE"]?.split(separator: ":") ?? []
    let names = listed.isEmpty ? [parts] : listed.map(LocaleName.init)
    return names.lazy.compactMap(Language.init).first ?? .english
  }

  /// Nil for a language that the program does not have.
  private init?(_ locale: LocaleName) {
    switch locale.language {
    case "en": self = .english
    case "es": self = .spanish
    case "ja": self = .japanese
    case "zh" where locale.isTraditionalChinese: self = .traditionalChinese
    default: return nil
    }
  }

  /// The bytes of its file, which are in the program for as long as it runs.
  var bytes: UnsafeBufferPointer<UInt8> {
    let file =
      switch self {
      case .english: strings_en()
      case .spanish: strings_es()
      case .japanese: strings_ja()
      case .traditionalChinese: strings_zh_hant()
      }
    return UnsafeBufferPointer(start: file.bytes, count: file.count)
  }
}

/// The parts of a locale's name, `zh_TW.UTF-8` or `zh-Hant-HK`, in small letters.
private struct LocaleName {
  let language: String
  /// Script and region.
  private let rest: [String]

  init(_ name: some StringProtocol) {
    let words = name.lowercased().prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }.map(String.init)
    language = words.first ?? ""
    rest = Array(words.dropFirst())
  }

  /// The script where it is named, else by the places that write it.
  var isTraditionalChinese: Bool {
    if rest.contains("hans") { return false }
    return rest.contains { ["hant", "tw", "hk", "mo"].contains($0) }
  }
}
