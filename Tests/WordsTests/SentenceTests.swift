import TableProtocol
import Testing
import TodoCore

@testable import OfflineSync
@testable import Words

@Suite("The sentences")
struct SentenceTests {
  @Test("every failure has words, and none leaves a placeholder or promises less than that changes wait")
  func everyFailure() {
    let reasons: [RemoteFailure.Reason] = [
      .noServer, .unreachable("too big"), .noSignIn, .signInNeeded, .notAllowed, .busy(status: 503, retryAfter: nil),
      .busy(status: 503, retryAfter: 1), .serverError(status: 500, message: "oops"),
      .serverError(status: 410, message: ""), .badAnswer("HTML"), .otherDatabase, .notTheServer("HTML"),
      .refusedOnTheWay(status: 403, message: "blocked by policy"), .refusedOnTheWay(status: 401, message: ""),
    ]
    let alterations = RemoteFailure.Alteration.allCases.map { RemoteFailure.Reason.alteredAnswer($0) }
    let unreachable = RemoteFailure.UnreachableKind.allCases.map { RemoteFailure.Reason.unreachable("", kind: $0) }
    let stores: [StoreError] = [
      .notAStore(path: "p"), .emptied(path: "p"), .missing(path: "p"), .newerVersion(path: "p"),
      .notAllowed(path: "p"), .cannotOpen(path: "p", reason: "r"), .diskFull(path: "p"), .busy(path: "p"),
      .failed(path: "p", reason: "r"),
    ]
    let failures: [SyncFailure] =
      [
        .otherProgramBusy, .cancelled, .massRemoval(MassRemoval(rows: 15, total: 20)), .invalidPull(.select),
        .other("r"), .otherAccount(account("http://a", "http://b")), .otherAccount(account("http://a", "http://a")),
        .otherAccount(account("http://a", "http://a", isOtherUser: true)),
      ] + (reasons + alterations + unreachable).map(remote) + stores.map(SyncFailure.store)
    for failure in failures {
      let sentence = Catalogue.english.sentence(for: failure, pending: 2, refresh: "r")
      #expect(!sentence.contains("{") && !sentence.contains("failure.") && !sentence.contains("short."), "\(sentence)")
      #expect(!sentence.contains("()") && !sentence.contains(" )"), "\(sentence)")
      #expect(sentence.hasSuffix("2 changes wait here; r tries again."))
    }
    #expect(
      Catalogue.english.sentence(for: remote(.notAllowed), pending: 0, refresh: "r").hasSuffix(
        "Nothing waits to be sent; r tries again."))
  }

  @Test("a change that was answered as if all were well is explained in each language, also if words were stored")
  func notSaved() {
    for language in Language.allCases {
      let catalogue = Catalogue.of(language)
      let said = catalogue.reason(for: .refused(status: 200, reason: ""))
      #expect(said.contains("200") && !said.contains("{"), "\(said)")
      #expect(catalogue.reason(for: .refused(status: 200, reason: "its answer shows the item unchanged")) == said)
      #expect(catalogue.words(for: ItemState.refused(status: 200, reason: "")) == said)
      #expect(catalogue.words(for: ItemState.refused(status: 409, reason: "")).contains("409"))
    }
  }

  @Test("a store that fails is not said to have received something; of a full disk it is said what to do")
  func failedStore() {
    let full = Catalogue.english.reason(.store(.diskFull(path: "p")))
    #expect(
      full == "The file of this list can't be used (the disk is full), so the sync stopped. "
        + "Make room on the disk and sync again.")
    let busy = Catalogue.english.reason(.store(.busy(path: "p")))
    #expect(busy == "The file of this list can't be used (another program holds it), so the sync stopped.")
  }

  @Test("a list is not said to be of another user if nobody signed in here or there")
  func nobody() {
    func said(of owner: String, by user: String, at server: String) -> String {
      let owner = Account(server: "http://a", user: owner)
      let other = OtherAccount(owner: owner, current: Account(server: server, user: user), pending: 0)
      return Catalogue.english.reason(.otherAccount(other))
    }
    for (owner, user) in [("a", ""), ("", "b")] {
      let words = said(of: owner, by: user, at: "http://b")
      #expect(words.hasPrefix("This list belongs to http://a, so nothing was sent to http://b"), "\(words)")
    }
    let withoutToken = said(of: "a", by: "", at: "http://a")
    #expect(withoutToken.hasPrefix("This list belongs to a user of http://a, and there is no token here, so nothing"))
    let withFirstToken = said(of: "", by: "b", at: "http://a")
    #expect(
      withFirstToken.hasPrefix("This list belongs to everybody who uses http://a without a token, and the token here"))
    #expect(said(of: "a", by: "b", at: "http://a").hasPrefix("This list belongs to another user of http://a"))
  }

  @Test("the list names the key for what a person has to decide, and no command")
  func decisions() {
    let failures: [SyncFailure] = [
      .serverWentBack(ServerWentBack(items: 1)), .massRemoval(MassRemoval(rows: 15, total: 20)),
      .otherAccount(account("http://a", "http://b")),
    ]
    for (failure, end) in zip(failures, ["Press c to decide.", "r asks what to do.", "r asks what to do."]) {
      for language in Language.allCases {
        let said = Catalogue.of(language).reason(failure, askedBy: "r", decidedBy: "c") ?? ""
        #expect(!said.isEmpty && !said.contains("{") && !said.contains("ebb"), "\(said)")
        #expect(language != .english || said.hasSuffix(end), "\(said)")
      }
    }
    for failure in [SyncFailure.cancelled, .otherProgramBusy, .other("r"), remote(.notAllowed)] {
      #expect(Catalogue.english.reason(failure, askedBy: "r", decidedBy: "c") == nil)
    }
  }

  @Test("how long a busy server asks for is said as a person would say it")
  func patience() {
    for (seconds, words) in [
      (0, "1 second"), (1, "1 second"),
      (12, "12 seconds"), (119, "119 seconds"), (120, "2 minutes"), (301, "6 minutes"),
      (7_200, "2 hours"), (86_400, "24 hours"),
    ] {
      let reason = RemoteFailure.Reason.busy(status: 429, retryAfter: seconds)
      #expect(Catalogue.english.reason(reason) == "The server is busy and asks for \(words).")
    }
  }

  @Test("another user and another database of the same server are told apart")
  func kinds() {
    let user = account("http://a", "http://a", isOtherUser: true, pending: 1)
    #expect(Catalogue.english.question(about: user).hasPrefix("This list belongs to another user of http://a. 1 "))
    let database = account("http://a", "http://a")
    #expect(Catalogue.english.question(about: database).hasPrefix("http://a has another database than the one"))
  }

  @Test("the question about another account says nothing of changes if none waits")
  func nothingWaits() {
    for (server, isOtherUser) in [("http://a", true), ("http://a", false), ("http://b", false)] {
      func said(_ pending: Int) -> String {
        Catalogue.english.question(about: account("http://a", server, isOtherUser: isOtherUser, pending: pending))
      }
      #expect(said(2).contains("2 changes") && said(1).contains("1 change "), "\(said(2))")
      #expect(!said(0).contains("change") && said(0).contains("Nothing was sent"), "\(said(0))")
    }
  }

  @Test("a conflict is said to be of two changes only if the copy that both were made from is known")
  func conflicts() {
    func reason(base: TodoCopy?, mine: TodoCopy? = TodoCopy(text: "oat milk")) -> String {
      Catalogue.english.reason(
        of: TodoConflict(id: "a", base: base, mine: mine, theirs: TodoCopy(text: "rice milk")))
    }
    #expect(reason(base: TodoCopy(text: "milk")) == "Changed here and on the server.")
    #expect(reason(base: nil) == "Different here and on the server.")
    #expect(reason(base: TodoCopy(text: "milk"), mine: nil) == "Deleted here, changed on the server.")
  }

  @Test("a number in a sentence has the language's sign between thousands")
  func thousands() {
    #expect(Catalogue.english.text(.markedCount, count: 12_001) == "12,001 marked")
    #expect(Catalogue.english.text(.pasteTitle, count: 9_000) == "Add 9,000 items?")
    #expect(Catalogue.of(.spanish).text(.pasteTitle, count: 9_000).contains("9.000"))
  }

  @Test("what stays as others made it is said, and why nothing was done")
  func sentences() {
    let words = { (reversal: UndoResult) in Catalogue.english.sentence(for: reversal) }
    #expect(
      words(UndoResult(.undo, .edit, text: "oat milk", itemID: "1", kept: [.text]))
        == "undone: edit “oat milk”; the text was changed since, by another device, and stays")
    var reversal = UndoResult(.undo, .decide, text: "milk", itemID: "1")
    #expect(words(reversal) == "undone: the decision about “milk”")
    reversal.conflict = .opened
    #expect(words(reversal) == "undone: the decision about “milk”; it waits for a decision again")
    reversal = UndoResult(.undo, .edit, text: "milk", itemID: "1")
    reversal.conflict = .letGo
    #expect(words(reversal) == "undone: edit “milk”; it is deleted there, and so it is gone here too")
    #expect(words(UndoResult(.redo, .decide, text: "milk", itemID: "1")) == "redone: the decision about “milk”")
    #expect(
      words(UndoResult(.undo, .complete, text: "milk", itemID: "1", obstacle: .deletedSince))
        == "not undone: complete “milk”; the item was deleted since")
    #expect(
      words(UndoResult(.redo, .edit, text: "milk", itemID: "1", kept: [.text], obstacle: .changedSince))
        == "not redone: edit “milk”; the text was changed since, by another device, and stays")
    #expect(
      words(UndoResult(.undo, .delete, text: "milk", itemID: "1", obstacle: .restoredSince))
        == "not undone: delete “milk”; the item is here again")
    #expect(
      words(UndoResult(.undo, .edit, text: "milk", itemID: "1", obstacle: .alreadySent))
        == "not undone: edit “milk”; it was already sent; the history of the item has the other text")
  }

  @Test("the undo of a decision that was sent says what the item is now, or what to do")
  func sentDecision() {
    let words = { (reversal: UndoResult) in Catalogue.english.sentence(for: reversal) }
    var reversal = UndoResult(.undo, .decide, text: "milk", itemID: "1", count: 4)
    reversal.leftItem = .live(TodoCopy(text: "rice milk\nnote", complete: true))
    #expect(words(reversal) == "undone: the decision about “milk” and 3 more; the item is “rice milk” now, done")
    reversal.leftItem = .live(TodoCopy(text: "rice milk"))
    #expect(words(reversal).hasSuffix("; the item is “rice milk” now, open"))
    reversal.leftItem = .deleted
    #expect(words(reversal).hasSuffix("; the item stays deleted"))
    reversal = UndoResult(.undo, .decide, text: "milk", itemID: "1", obstacle: .alreadySent)
    reversal.isAgainstDeletion = true
    #expect(
      words(reversal)
        == "not undone: the decision about “milk”; it was already sent; delete the item to undo it")
  }

  @Test(
    "a refresh says that both sides are the same only as far as the server took the changes",
    arguments: [(0, 0, "the same"), (1, 0, "otherwise the same"), (0, 2, "otherwise the same")])
  func agreement(conflicts: Int, refused: Int, words: String) {
    let digest = TableDigest(count: 1_204, checksum: 7)
    let result = RefreshResult(conflicts: conflicts, refused: refused)
    let comparison = TableComparison(table: "TodoItem", here: digest, there: digest)
    #expect(Catalogue.english.words(for: comparison, after: result) == "1,204 here, 1,204 there, \(words)")
    let other = TableComparison(table: "TodoItem", here: digest, there: TableDigest(count: 1_203, checksum: 9))
    #expect(Catalogue.english.words(for: other, after: result) == "1,204 here, 1,203 there, not the same")
    var left = RefreshResult()
    left.leavesChanges = true
    #expect(Catalogue.english.words(for: comparison, after: left).hasSuffix("otherwise the same"))
  }

  @Test("deletions that went to no account are counted, and otherwise nothing is said of them")
  func droppedDeletions() {
    var result = RefreshResult()
    #expect(Catalogue.english.droppedDeletions(of: result) == nil)
    result.droppedDeletions = 1
    #expect(Catalogue.english.droppedDeletions(of: result)?.hasPrefix("1 deletion is not sent any more") == true)
  }

  @Test("a comparison says what a full refresh does not mend")
  func verified() {
    var found = TableVerification()
    #expect(Catalogue.english.remarks(on: found).isEmpty)
    found.damaged = 1
    var result = RefreshResult()
    #expect(Catalogue.english.leftOut(of: result) == nil)
    result.leftOut = 2
    result.firstLeftOut = ".."
    #expect(Catalogue.english.leftOut(of: result)?.contains("2 items") == true)
    #expect(Catalogue.english.leftOut(of: result)?.contains("..") == true)
    result.firstLeftOut = nil
    #expect(Catalogue.english.leftOut(of: result)?.contains("one without an id") == true)
    found.unreadable = 2
    found.missingHere = 2
    found.waiting = 1
    #expect(
      Catalogue.english.remarks(on: found).first
        == "1 item with a change that waits here was compared without that change.")
    #expect(
      Catalogue.english.sentence(for: found).hasSuffix(
        "1 item on the server is damaged. The server's log has its id. ebb sync --full does not change it here. "
          + "Edit it, or restore a backup of the server. "
          + "2 items on the server can't be stored here: their ids, texts or times are not valid. "
          + "Correct them on the server."))
    #expect(!found.canBeMended)
    #expect(Catalogue.english.sentence(for: found).contains("Run ebb sync --full"))
    found.isBehind = true
    #expect(Catalogue.english.sentence(for: found).contains("The server has changed since the last sync; sync to"))
  }

  @Test("a failure is said in one language: no English word stands in a Japanese sentence")
  func oneLanguage() {
    let japanese = Catalogue.of(.japanese)
    for kind in RemoteFailure.UnreachableKind.allCases {
      let failure = remote(.unreachable("connection refused", kind: kind))
      // A command is written as it is typed.
      let words = japanese.reason(failure).split(separator: "ebb doctor").joined()
      #expect(words.allSatisfy { !$0.isASCII || !$0.isLetter }, "\(words)")
      #expect(japanese.shortReason(failure)?.contains("connection") == false)
    }
    #expect(japanese.reason(.store(.diskFull(path: "p"))).contains("ディスクの空きなし"))
  }

  private func remote(_ reason: RemoteFailure.Reason) -> SyncFailure {
    .remote(RemoteFailure(reason, mayHaveActed: false))
  }

  private func account(
    _ owner: String, _ current: String, isOtherUser: Bool = false, pending: Int = 0
  ) -> OtherAccount {
    OtherAccount(
      owner: Account(server: owner, user: "a"), current: Account(server: current, user: isOtherUser ? "b" : "a"),
      pending: pending)
  }
}
