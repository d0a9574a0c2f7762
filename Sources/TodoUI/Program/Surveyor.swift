import Dispatch
import FoundationEssentials
import TodoCore
import Words

/// Counts and locates in the background, one survey at a time. Of those asked for meanwhile only the last is made.
struct Surveyor {
  private let surveys: LatestWork<(query: TodoQuery, item: TodoItem?)>

  init(list: TodoList, inbox: Inbox, describe: @escaping @Sendable (any Error) -> String) {
    surveys = LatestWork(DispatchQueue(label: "ebb.survey", qos: .utility)) { query, item in
      do {
        inbox.post(.surveyed(try list.survey(query, locate: item)))
      } catch {
        inbox.post(.failed(describe(error)))
      }
    }
  }

  func survey(_ query: TodoQuery, locate item: TodoItem?) {
    surveys.ask((query, item))
  }
}

extension TodoList {
  fileprivate func survey(_ query: TodoQuery, locate item: TodoItem?) throws -> Survey {
    let status = try status()
    let matching = try count(query)
    let overall = query.filter.isEmpty ? matching : try count(TodoQuery(view: query.view, filter: ""))
    let position = try item.map { try self.position(of: $0, in: query) }
    return Survey(
      query: query, matching: matching, overall: overall, located: item, position: position,
      status: StatusReport(
        sync: status, lastSync: status.lastSync.map { LocalMoment($0) }, now: LocalMoment(Now.system.date),
        arrivals: try arrivalCounts()))
  }
}
