
package struct TodoDraft: Equatable, Sendable {
  package enum Target: Equatable, Sendable {
    case new
    case item(id: String, seen: String)
    case merge(id: String)
  }
  package var target: Target
  package var before: String
  package var after: String
  package init(target: Target, before: String, after: String) {
    (self.target, self.before, self.after) = (target, before, after)
  }
}
extension TodoList {
  package func add(_ texts: [String]) throws -> [TodoItem] { [] }
  package func setComplete(_ ids: [String], _ c: Bool) throws -> Int { 0 }
  package func delete(_ ids: [String]) throws -> Int { 0 }
  package func rewrite(_ ids: [String], _ f: (String) -> String) throws -> Int { 0 }
  package func drop(_ id: String) throws {}
  package func restore(_ id: String, to: Int64) throws {}
  package func outbox(limit: Int) throws -> [WaitingChange] { [] }
  package func outboxCount() throws -> Int { 0 }
  package func arrivals() throws -> [Arrival] { [] }
  package func arrivalCounts() throws -> [Arrival.Kind: Int] { [:] }
  package func markSeen(_ ids: [String]) throws {}
  package func markAllSeen() throws {}
  package func nextArrival(after: TodoItem?, in: TodoQuery, backward: Bool) throws -> TodoItem? { nil }
  package func story(of id: String) throws -> [ItemVersion] { [] }
  package func saveDraft(_ d: TodoDraft?) throws {}
  package func draft() throws -> TodoDraft? { nil }
  package func remember(_ n: String, _ v: String?) throws {}
  package func remembered(_ n: String) throws -> String? { nil }
  package func history() throws -> [String] { [] }
  package func noteHistory(_ l: String) throws {}
}
