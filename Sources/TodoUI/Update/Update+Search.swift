import TodoCore

/// Reading that must not hold up the keys.
extension Model {
  /// Shows the list through another filter while it is being typed.
  mutating func search(filter: String) -> [Effect] {
    endRange()
    query.filter = filter
    matching = nil
    return search(.first(count: window.page))
  }

  /// Something changed elsewhere: the rows are looked for anew.
  mutating func searchAgain() -> [Effect] {
    if case .first = search?.request { return search(.first(count: window.page)) }
    return search(rowsAroundSelected)
  }

  /// The rows as they were when the search was made. Whatever was read or asked for since is newer.
  mutating func accept(_ page: RowPage, for search: RowSearch) -> [Effect] {
    guard search == self.search else { return [] }
    if case .around(let item, _, _) = search.request, item.id != window.selectedItem?.id { return searchAgain() }
    return accept(page, for: search.request)
  }

  /// The filter is typed, and the next key is meant for the rows it leaves.
  func settleSearch() -> [Effect] {
    search.map { [.read($0.query, $0.request)] } ?? []
  }

  private mutating func search(_ request: RowRequest) -> [Effect] {
    searches += 1
    let search = RowSearch(number: searches, query: query, request: request)
    self.search = search
    return [.search(search)]
  }
}
