import FoundationEssentials
import TodoCore
import Words

/// Reports words after `due:` that are no date. They are kept as text, so that nothing that was written gets lost.
enum TypedDate {
  static func report(_ texts: some Sequence<String>) {
    for text in texts { report(text) }
  }

  static func report(_ text: String) {
    let (today, catalogue) = (CalendarDay(Date()), ErrorMessages.catalogue)
    guard let typed = TypedDue(text, today: today), typed.meaning == nil else { return }
    let words = String(text[typed.range]).printable
    StandardOutput.error(
      catalogue.explained(catalogue.text(.commandTypedNoDate, ["words": words]), noDate: words, today: today))
  }
}
