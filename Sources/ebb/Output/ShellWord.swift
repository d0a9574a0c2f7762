/// Words of commands that are printed so that somebody copies them into a shell.
extension String {
  /// The text as one word of a command line: unchanged if a shell takes it as it stands, else in single quotes, which
  /// keep all but themselves (POSIX, Shell Command Language, 2.2.2).
  ///
  ///     "/srv/todo.sqlite".shellWord   // /srv/todo.sqlite
  ///     "/srv/to do.sqlite".shellWord  // '/srv/to do.sqlite'
  ///     "/srv/it's.sqlite".shellWord   // '/srv/it'\''s.sqlite'
  var shellWord: String {
    guard isEmpty || !unicodeScalars.allSatisfy(\.isPlainInShell) else { return self }
    // By scalars: a mark after a quote makes another character of both, and the shell reads bytes.
    let parts = unicodeScalars.split(separator: "'", omittingEmptySubsequences: false).map { String($0) }
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }
}

extension Unicode.Scalar {
  private static let plainSigns = Set("_-./:=@%+,".unicodeScalars)

  /// True for a letter, a digit, or a sign that means nothing to a shell within a word. Brackets and the like do: some
  /// shells look for files whose names fit them, and run nothing if there is none.
  fileprivate var isPlainInShell: Bool {
    properties.isAlphabetic || properties.numericType != nil || Self.plainSigns.contains(self)
  }
}
