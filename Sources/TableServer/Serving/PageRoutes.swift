/// Answers for everybody, before anybody has signed in: they say nothing of any user.
extension TableResponder {
  /// A page for browsers or the document of the protocol; nil for any other request.
  func page(_ table: TableRequest, from address: String?, _ gatekeeper: Gatekeeper) throws -> TableResponse? {
    if let page = BrowserPage(of: table) {
      try gatekeeper.admitStranger(from: address)
      return page.answer(to: table)
    }
    if InterfaceDocument.isMeant(by: table) {
      try gatekeeper.admitStranger(from: address)
      return try document.answer(to: table)
    }
    return nil
  }

  /// Who sends a request for rows, or for a calendar of them, which has its token in the URL.
  func visitor(_ table: TableRequest, from address: String?, _ gatekeeper: Gatekeeper) async throws -> Visitor {
    if CalendarFeed.isMeant(by: table) {
      return try await gatekeeper.admit(feed: CalendarFeed.token(in: table), from: address)
    }
    return try await gatekeeper.admit(table, from: address)
  }
}
