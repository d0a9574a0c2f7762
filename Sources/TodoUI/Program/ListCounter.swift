import Dispatch
import FoundationEssentials
import TodoCore
import Words

/// Counts the items of a query in the background, one request at a time. Of the requests that come meanwhile only the last
/// is carried out.
struct ListCounter {
  private let requests: LatestWork<(query: TodoQuery, item: TodoItem?)>

  init(list: TodoList, inbox: Inbox, describe: @escaping @Sendable (any Error) -> String) {
    requests = LatestWork(DispatchQueue(label: "ebb.count", qos: .utility)) { query, item in
      do {
        inbox.post(.counted(try list.counts(of: query, locate: item)))
      } catch {
        inbox.post(.failed(describe(error)))
      }
    }
  }

  func count(_ query: TodoQuery, locate item: TodoItem?) {
    requests.ask((query, item))
  }
}

extension TodoList {
  fileprivate func counts(of query: TodoQuery, locate item: TodoItem?) throws -> ListCounts {
    let status = try status()
    let matching = try count(query)
    let overall = query.filter.isEmpty ? matching : try count(TodoQuery(view: query.view, filter: ""))
    let position = try item.map { try self.position(of: $0, in: query) }
    return ListCounts(
      query: query, matching: matching, overall: overall, located: item, position: position,
      status: ListStatus(
        sync: status, lastSync: status.lastSync.map { LocalMoment($0) }, now: LocalMoment(Now.system.date),
        arrivals: try arrivalCounts()))
  }
}
