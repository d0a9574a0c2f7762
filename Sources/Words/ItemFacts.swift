package import FoundationEssentials
import TableProtocol
package import TodoCore

extension Catalogue {
  /// The facts about an item beside its text, each with its name. Times are those of the clock on the wall; `today` is
  /// what dates are near to. Without a server nothing waits for one, and nothing is said of it.
  package func facts(
    of detail: ItemDetail, now: Date, today: CalendarDay, hasServer: Bool
  ) -> [(String, String)] {
    let item = detail.item
    let notation = TodoNotation(item.text)
    let time = { (moment: Timestamp) in LocalMoment(moment.date).text(today: LocalMoment(now)) }
    let all: [(StringKey, String?)] = [
      (.detailState, words(forState: TodoCopy(text: item.text, complete: item.complete))),
      (.detailDone, item.completedAt.map { LocalMoment.text(ofChange: $0.date, today: LocalMoment(now)) }),
      (.detailPriority, notation.priority.map(String.init)),
      (.detailDue, notation.due.map { dueWithDate($0, today: today, isDone: item.complete) }),
      (.detailProjects, Self.joined(notation.projects)),
      (.detailContexts, Self.joined(notation.contexts)),
      (.detailSync, hasServer ? words(for: item.state) : nil),
      (.detailChange, hasServer ? detail.change.map { words(for: $0) } : nil),
      (.detailCreated, item.knownCreation.map(time)),
      (.detailUpdated, item.updatedAt.map(time)),
      (.detailVersions, number(detail.versions)),
      (.detailHandle, detail.handle),
      (.detailID, item.id.text),
      (.detailVersion, item.version?.text),
    ]
    return all.compactMap { key, words in words.map { (text(key), $0) } }
  }

  private static func joined(_ words: [String]) -> String? {
    words.isEmpty ? nil : words.joined(separator: " ")
  }
}
