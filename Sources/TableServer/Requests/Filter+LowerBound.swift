import TableProtocol

extension Filter {
  /// The latest moment that `updatedAt` must be after, or at, in any part of the condition: what a client thinks
  /// that the server has reached. Nil if the condition has no such part.
  var latestLowerBound: Timestamp? {
    guard case .binary(let relation, let left, let right) = self else { return nil }
    if relation == .and || relation == .or {
      return [left.latestLowerBound, right.latestLowerBound].compactMap(\.self).max()
    }
    guard relation == .greater || relation == .greaterOrEqual, case .member(let name) = left,
      name.lowercased() == SystemColumn.updatedAt.lowercased(), case .literal(let literal) = right
    else { return nil }
    if case .timestamp(let moment) = literal { return moment }
    if case .text(let text) = literal { return Timestamp(text) }
    return nil
  }
}
