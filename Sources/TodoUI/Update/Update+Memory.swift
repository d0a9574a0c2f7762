import OfflineSync
import TodoCore

extension Model {
  /// What the list remembers of itself comes after the first paint; what was asked for meanwhile stays.
  mutating func accept(_ memory: Memory) -> [Effect] {
    history = memory.history
    for (name, value) in memory.values {
      if case .savedFilter(let number) = name { savedFilters[number] = value }
    }
    var effects: [Effect] = []
    if let order = memory.values[.order].flatMap(TodoOrder.init(rawValue:)), order != query.order {
      query.order = order
      effects += [.read(query, .first(count: window.page)), .prepare(order, query.view)]
    }
    return effects + take(up: memory.draft)
  }

  /// What was being typed when the program ended is typed on.
  private mutating func take(up draft: TodoDraft?) -> [Effect] {
    guard let draft, mode == .list else { return [] }
    if case .merge = draft.target {
      mergeDraft = Editing(draft)
      return []
    }
    mode = .editor(Editing(draft))
    hasDraft = true
    notice = notice ?? .draftRestored
    guard case .item(let id, let seen) = draft.target else { return [] }
    return [.read(query, .around(TodoItem(id: id, text: seen), orElse: nil, count: window.page))]
  }

  mutating func startVerifying() -> [Effect] {
    guard !isVerifying else { return say(.verifying) }
    isVerifying = true
    notice = .verifying
    return [.verify]
  }

  mutating func hear(_ event: VerificationEvent) -> [Effect] {
    guard case .finished(let outcome) = event else { return [] }
    isVerifying = false
    switch outcome {
    case .success(let verification): return say(.verified(verification))
    case .failure(let failure): return say(.verifyFailed(failure))
    }
  }
}
