package import TodoCore

extension Catalogue {
  /// Why a filter can't be used, where, and what could stand there.
  package func sentence(for problem: FilterProblem) -> String {
    sentences(text(.filterNotUnderstood), reason(of: problem))
  }

  /// The same for those who see that it is about the filter.
  package func reason(of problem: FilterProblem) -> String {
    text(
      problem.reason.sentence,
      [
        "word": problem.word, "key": problem.key, "place": String(problem.place.lowerBound + 1), "rest": problem.rest,
      ])
  }

  /// The same beside the filter while it is typed.
  package func shortWords(for problem: FilterProblem) -> String {
    text(problem.reason.shortWords, ["word": problem.word, "rest": problem.rest])
  }
}

extension FilterProblem {
  /// The word without the sign before it.
  fileprivate var rest: String { String(word.dropFirst()) }
}

extension FilterProblem.Reason {
  fileprivate var sentence: StringKey {
    switch self {
    case .noDate: .filterNoDate
    case .noPriority: .filterNoPriority
    case .backwards: .filterBackwards
    case .unclosed: .filterUnclosed
    case .unopened: .filterUnopened
    case .nothingThere: .filterNothingThere
    case .tooLong: .filterTooLong
    case .hyphen: .filterHyphen
    }
  }

  fileprivate var shortWords: StringKey {
    switch self {
    case .noDate: .filterShortNoDate
    case .noPriority: .filterShortNoPriority
    case .backwards: .filterShortBackwards
    case .unclosed: .filterShortUnclosed
    case .unopened: .filterShortUnopened
    case .nothingThere: .filterShortNothingThere
    case .tooLong: .filterShortTooLong
    case .hyphen: .filterShortHyphen
    }
  }
}
