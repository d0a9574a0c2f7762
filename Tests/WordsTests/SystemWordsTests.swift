import Glibc
import Testing

@testable import Words

@Suite("The words for errors of the system")
struct SystemWordsTests {
  @Test(
    "are in the user's language for the common ones, by number and by what the system says",
    arguments: Language.allCases)
  func common(language: Language) {
    let catalogue = Catalogue.of(language)
    for key in SystemKey.allCases {
      let words = catalogue.reason(ofSystem: key.code)
      #expect(words == catalogue.texts[key.rawValue])
      #expect(catalogue.reason(saidBySystem: String(cString: strerror(key.code)).lowercased()) == words)
    }
    #expect(Set(SystemKey.allCases.map(\.code)).count == SystemKey.allCases.count)
  }

  @Test("are the system's own for all others, and those of a library stay")
  func others() {
    let japanese = Catalogue.of(.japanese)
    #expect(japanese.reason(ofSystem: ECHILD) == "no child processes")
    #expect(japanese.reason(saidBySystem: "file is not a database") == "file is not a database")
    #expect(japanese.reason(ofSystem: ENOENT) == "ファイルやフォルダーがありません")
  }
}
