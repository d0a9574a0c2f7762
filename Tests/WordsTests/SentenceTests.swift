import Testing
import TodoCore

@testable import Words

@Suite("The sentences")
struct SentenceTests {
  @Test("every failure has words, and none leaves a placeholder or promises less than that changes wait")
  func everyFailure() {
    let failures: [RefreshFailure] = [
      .noServer, .unreachable(reason: "cut"), .signInNeeded, .notAllowed, .serverBusy(retryAfterSeconds: nil),
      .serverBusy(retryAfterSeconds: 1), .serverError(status: 500, message: "oops"), .badAnswer(reason: "HTML"),
      .otherProgramBusy, .store(reason: "disk full"), .cancelled, .massRemoval(items: 15, total: 20),
      .otherAccount(OtherAccountNotice(owner: "http://a", current: "http://b")),
      .otherAccount(OtherAccountNotice(owner: "http://a", current: "http://a")),
      .otherAccount(OtherAccountNotice(owner: "http://a", current: "http://a", isOtherUser: true)),
    ]
    for failure in failures {
      let sentence = Catalogue.english.sentence(for: failure, pending: 2, refresh: "r")
      #expect(!sentence.contains("{") && !sentence.contains("failure."), "\(sentence)")
      #expect(sentence.hasSuffix("2 changes wait here; r tries again."))
    }
    #expect(
      Catalogue.english.sentence(for: .notAllowed, pending: 0, refresh: "r").hasSuffix(
        "Nothing waits to be sent; r tries again."))
  }

  @Test("another user and another database of the same server are told apart")
  func kinds() {
    let user = OtherAccountNotice(owner: "http://a", current: "http://a", isOtherUser: true, pending: 1)
    #expect(Catalogue.english.question(about: user).hasPrefix("This list belongs to another user of http://a, and 1 "))
    let database = OtherAccountNotice(owner: "http://a", current: "http://a")
    #expect(Catalogue.english.question(about: database).hasPrefix("http://a has another database than the one"))
  }

  @Test("what stays as others made it is said, and why nothing was done")
  func sentences() {
    let words = { (reversal: TodoReversal) in Catalogue.english.sentence(for: reversal) }
    #expect(
      words(TodoReversal(.undo, .edit, text: "oat milk", itemID: "1", kept: [.text]))
        == "undone: edit “oat milk”; the text was changed since, by another device, and stays")
    #expect(
      words(TodoReversal(.undo, .complete, text: "milk", itemID: "1", obstacle: .deletedSince))
        == "not undone: complete “milk”; the item was deleted since")
    #expect(
      words(TodoReversal(.redo, .edit, text: "milk", itemID: "1", kept: [.text], obstacle: .changedSince))
        == "not done again: edit “milk”; the text was changed since, by another device, and stays")
    #expect(
      words(TodoReversal(.undo, .delete, text: "milk", itemID: "1", obstacle: .restoredSince))
        == "not undone: delete “milk”; the item is here again")
  }
}
