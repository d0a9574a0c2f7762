/// What a person did on the keyboard, whatever bytes the terminal made of it.
package enum Key: Sendable, Hashable {
  /// One scalar that can be text. Letters with several marks and joined emoji come as several keys.
  case character(Character)
  /// Ctrl with a lower-case letter. Ctrl-H, Ctrl-I, Ctrl-J and Ctrl-M come as the keys they are.
  case control(Character)
  /// Alt with a character; a letter in lower case, with Shift or without.
  case alt(Character)
  case altBackspace
  case enter, escape, tab, backTab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
  case controlLeft, controlRight
  case function(Int)
  /// Text pasted in one piece (bracketed paste); it never acts as keys.
  case paste(String)
  case unknown
}
