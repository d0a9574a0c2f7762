import TableClient
import TableProtocol
import TodoCore
import TodoUI
import Words

/// Each setting with the value in force and where that comes from: what `ebb config show` prints. A token is never in
/// it.
struct ConfigurationReport {
  struct Row: Equatable {
    let key: String
    let value: String
    let origin: SettingOrigin
    /// The value that was set and can't be used.
    var wrong: String?
  }

  private(set) var rows: [Row] = []
  /// The reasons why values that were set can't be used, each a sentence.
  private(set) var problems: [String] = []
  private var mistakes: [ConfigurationReview.Mistake] = []
  private let flags: SettingFlags
  private let environment: EnvironmentVariables
  private let file: ConfigurationFile?

  /// `remembered` is what the list was told by its keys, by the name that it has in the store.
  init(
    _ flags: SettingFlags, environment: EnvironmentVariables, _ place: ConfigurationPlace, _ file: ConfigurationFile?,
    remembered: (Memory.Name) -> String?
  ) {
    self.flags = flags
    self.environment = environment
    self.file = file
    let bytes = file.flatMap { SettingsFile.bytes($0.path) } ?? []
    if let file { mistakes = ConfigurationReview(path: file.path, bytes: bytes, environment: environment).mistakes }
    problems = mistakes.map(\.sentence)
    rows.append(Row(key: "config", value: place.path, origin: place.origin))
    addPlaces(DefaultPaths(environment))
    addList(remembered)
    addGroups()
  }

  private mutating func addPlaces(_ paths: DefaultPaths) {
    addPath(
      "store", flag: ("--store", flags.store), variable: "EBB_STORE", standard: paths.data("ebb.sqlite"), paths)
    add("server", flag: ("--server", flags.server), variable: "EBB_SERVER", standard: "") { value, _ in
      ErrorMessages.withoutUser(value)
    }
    refuseServer()
    if flags.tokenFile == nil, environment["EBB_TOKEN"]?.isEmpty == false {
      let hidden = ErrorMessages.catalogue.text(.configHidden)
      rows.append(Row(key: "token", value: hidden, origin: .variable("EBB_TOKEN")))
    } else {
      addPath("tokenFile", flag: ("--token-file", flags.tokenFile), variable: nil, standard: "", paths)
    }
    addPath("caFile", flag: ("--ca-file", flags.caFile), variable: "EBB_CA_FILE", standard: "", paths)
  }

  /// A path of the file that can't be used is shown as it is written.
  private mutating func addPath(
    _ key: String, flag: (name: String, value: String?), variable: String?, standard: String, _ paths: DefaultPaths
  ) {
    let ofFile = try? file?.absolutePath(of: key, paths)
    add(key, flag: flag, variable: variable, standard: standard) { value, isOfFile in
      isOfFile ? ofFile ?? value : paths.absolute(value)
    }
  }

  /// Of an address that can't be used from a flag or the environment; the mistakes of the file are known.
  private mutating func refuseServer() {
    let layers = SettingLayers(file: nil, environment: environment)
    guard let text = layers.server(flags), ServerAddress(text) == nil,
      let row = rows.popLast()
    else { return }
    rows.append(Row(key: row.key, value: "", origin: row.origin, wrong: row.value))
    problems.append(ErrorMessages.anySentence(for: CommandFailure.badServer(text)))
  }

  /// A theme that the list remembers counts if the file says nothing of them, and of a filter in any case.
  private mutating func addList(_ remembered: (Memory.Name) -> String?) {
    add("sync.when", standard: "never")
    add("quit.ask", standard: "false")
    if let theme = remembered(.theme), text("theme") == nil || mistake(in: "theme") != nil {
      rows.append(Row(key: "theme", value: theme, origin: .list, wrong: text("theme")))
    } else {
      add("theme", standard: "auto")
    }
    add("color", flag: ("--color", flags.color), variable: nil, standard: "auto")
    add("mouse", standard: "true")
    add("ascii", standard: "false")
    rows.append(
      remembered(.order).map { Row(key: "order", value: $0, origin: .list) }
        ?? Row(key: "order", value: TodoOrder.created.rawValue, origin: .standard))
    for number in 1...9 {
      if let filter = remembered(.savedFilter(number)), !filter.isEmpty {
        rows.append(Row(key: "filters.\(number)", value: filter, origin: .list))
      } else if text("filters.\(number)") != nil {
        add("filters.\(number)", standard: "")
      }
    }
  }

  /// Of the many keys and colours only those that the file sets.
  private mutating func addGroups() {
    let unknown = file.map(SettingKey.unknown) ?? []
    for key in file?.keys ?? [] where ["keys.", "colors.", "columns."].contains(where: key.hasPrefix) {
      guard !unknown.contains(key) else { continue }
      let names = SettingKey.command(key).map { KeyBindings.standard.names(of: $0) } ?? []
      add(key, standard: names.joined(separator: " "))
    }
  }

  /// Names of columns are wrong together.
  private func mistake(in key: String) -> ConfigurationReview.Mistake? {
    mistakes.first { $0.key == key || ($0.key == "columns" && key.hasPrefix("columns.")) }
  }

  private func text(_ key: String) -> String? {
    let text = file?.texts(key)?.joined(separator: ", ")
    return text?.isEmpty == false ? text : nil
  }

  /// `shown` gets a value, and whether it is of the file.
  private mutating func add(
    _ key: String, flag: (name: String, value: String?)? = nil, variable: String? = nil, standard: String,
    _ shown: (String, Bool) -> String = { value, _ in value }
  ) {
    if let flag, let value = flag.value, !value.isEmpty {
      rows.append(Row(key: key, value: shown(value, false), origin: .flag(flag.name)))
    } else if let variable, let value = environment[variable], !value.isEmpty {
      rows.append(Row(key: key, value: shown(value, false), origin: .variable(variable)))
    } else if let value = text(key), let mistake = mistake(in: key) {
      rows.append(Row(key: key, value: mistake.inForce ?? standard, origin: .standard, wrong: shown(value, true)))
    } else if let file, let value = text(key) {
      rows.append(Row(key: key, value: shown(value, true), origin: .file(file.place(of: key))))
    } else {
      rows.append(Row(key: key, value: standard, origin: .standard))
    }
  }

  /// `store  /home/anna/list.sqlite  (EBB_STORE)`, with columns for a person.
  func text(_ layout: OutputLayout) -> [UInt8] {
    let none = ErrorMessages.catalogue.text(.configNone)
    let keyWidth = layout.isForPerson ? rows.map(\.key.count).max() ?? 0 : 0
    let lines = rows.map { row in
      let pad = String(repeating: " ", count: max(0, keyWidth - row.key.count))
      let value = row.value.isEmpty ? layout.paint(none, .dim) : row.value.printable
      return layout.paint(row.key, .bold) + pad + "  " + value + "  " + layout.paint("(\(row.origin.words))", .dim)
        + "\n"
    }
    return Array(lines.joined().utf8)
  }

  /// `[{key, value, origin, place, wrong}]`: `origin` is flag, environment, file, list or default; null for what is not
  /// set. `wrong` is a value that was set and can't be used.
  var json: [UInt8] {
    var writer = JSONWriter(isForTerminal: true)
    writer.raw("[")
    for (index, row) in rows.enumerated() {
      if index > 0 { writer.raw(",\n ") }
      writer.raw("{")
      let (kind, place) = row.origin.parts
      writer.members([
        "key": .text(row.key), "value": FieldValue(row.value.isEmpty ? nil : row.value), "origin": .text(kind),
        "place": FieldValue(place), "wrong": FieldValue(row.wrong),
      ])
      writer.raw("}")
    }
    writer.raw("]\n")
    return writer.bytes
  }
}

extension SettingOrigin {
  /// For JSON.
  fileprivate var parts: (kind: String, place: String?) {
    switch self {
    case .flag(let name): ("flag", name)
    case .variable(let name): ("environment", name)
    case .file(let place): ("file", place)
    case .list: ("list", nil)
    case .standard: ("default", nil)
    }
  }
}
