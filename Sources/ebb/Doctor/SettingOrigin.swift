import Words

/// Where the value of a setting comes from.
enum SettingOrigin {
  case flag(String)
  case variable(String)
  case file(String)
  case standard

  var words: String {
    switch self {
    case .flag(let name), .variable(let name), .file(let name): name
    case .standard: ErrorMessages.catalogue.text(.standard)
    }
  }
}
