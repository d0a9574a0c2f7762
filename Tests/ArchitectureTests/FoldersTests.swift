import Testing

@Suite("The folders of a room")
struct FoldersTests {
  private let order = FolderOrder(room: "Made", folders: ["Low", "High"])

  private func source(_ path: String, _ text: String) -> Repository.Source {
    Repository.Source(room: "Made", path: "Sources/Made/\(path)", text: text)
  }

  @Test("no folder uses a type of one that comes after it")
  func foldersKeepTheirOrder() throws {
    let sources = try Repository().swiftFiles()
    let findings = FolderOrder.all.flatMap { $0.findings(in: sources) }
    #expect(findings.isEmpty, "\n\(findings.joined(separator: "\n"))")
  }

  @Test("the rules of a row stand in the folder of rows, and nowhere else")
  func rowRulesStandTogether() throws {
    let strays = try Repository().swiftFiles().filter { source in
      source.code.contains("extension TrackedRow") && !source.path.hasPrefix("Sources/OfflineSync/Row/")
    }
    #expect(strays.map(\.path) == [])
  }

  @Test("a use of a type of a later folder is found once for each file, with its line")
  func findsUses() {
    let sources = [
      source("Low/A.swift", "struct A {\n  var b: B?\n  let again: [B]\n  let c = \"C\"  // C\n}\n"),
      source("High/B.swift", "package final class B {}\npackage protocol C {}\n"),
    ]
    #expect(order.findings(in: sources) == ["Sources/Made/Low/A.swift:2: Low uses B of High"])
  }

  @Test("a folder uses itself and those before it")
  func allowsUses() {
    let sources = [
      source("Low/A.swift", "package struct A {}\ntypealias Values = [A]\n"),
      source("High/B.swift", "package struct B {\n  var a: A\n  var other: Other\n}\nenum Other {}\n"),
    ]
    #expect(order.findings(in: sources) == [])
  }

  @Test("a type of the same name in one's own file is that one, and private types are nobody else's")
  func knowsItsOwn() {
    let sources = [
      source(
        "Low/A.swift",
        "struct A {\n  enum Window {}\n  var window: Window\n  var place: Kind.Place\n  var part: Part\n}\n"),
      source("High/B.swift", "struct Window {}\nstruct Place {}\nprivate struct Part {}\n"),
    ]
    #expect(order.findings(in: sources) == [])
  }

  @Test("a file in a folder without a place in the order, or in none, is a finding")
  func wantsAPlace() {
    let sources = [source("Aside/A.swift", ""), source("B.swift", ""), source("Low/Deeper/C.swift", "")]
    #expect(
      order.findings(in: sources) == [
        "Sources/Made/Aside/A.swift: the folder 'Aside' has no place in the order of Made",
        "Sources/Made/B.swift: the folder '' has no place in the order of Made",
      ])
  }

  @Test("other rooms are not looked at")
  func staysInItsRoom() {
    let other = Repository.Source(room: "Other", path: "Sources/Other/Aside/A.swift", text: "struct A { var b: B }")
    #expect(order.findings(in: [other, source("High/B.swift", "struct B {}")]) == [])
  }
}
