/// What becomes of one request and its answer in bad weather.
enum Cut: Sendable, CaseIterable {
  /// The line is cut before the server sees anything of the request.
  case unheard
  /// The line is cut in the middle of the request.
  case halfHeard
  /// The server has acted and answers; the line is cut before the client sees a byte of it.
  case unanswered
  /// The line is cut in the middle of the answer.
  case halfAnswered
  /// The server has acted and answers; nothing of it comes through, and the line stays open.
  case silent
}
