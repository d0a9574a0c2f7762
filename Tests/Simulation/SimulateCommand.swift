/// Runs worlds and prints what came of them: `simulate COUNT BASE` runs the seeds from BASE on,
/// `simulate SEED` one of them with all its requests, and `simulate broken` breaks each rule until a law notices.
/// `+NAME` and `-NAME` switch an edge or a law on or off, `edges=none` all edges, `only=NAME` all but one. `served`
/// runs the worlds of a server of ours alone, by the server's own code.
package struct SimulateCommand {
  private let numbers: [UInt64]
  private let breaksRules: Bool
  private var edges = Set(Edge.allCases)
  private var laws = Set(Law.allCases)
  private let code: (any ServerCode)?

  /// - code: Our server's own.
  package init(arguments: [String], code: (any ServerCode)?) {
    self.code = arguments.contains("served") ? code : nil
    breaksRules = arguments.dropFirst() == ["broken"]
    numbers = arguments.dropFirst().compactMap { UInt64($0) }
    for argument in arguments.dropFirst() where UInt64(argument) == nil && argument != "broken" { choose(argument) }
  }

  private mutating func choose(_ argument: String) {
    if argument == "edges=none" { edges = [] }
    let name = String(argument.dropFirst())
    let (edge, law) = (Edge(rawValue: name), Law(rawValue: name))
    if argument.hasPrefix("+") {
      if let edge { edges.insert(edge) }
      if let law { laws.insert(law) }
    } else if argument.hasPrefix("-") {
      if let edge { edges.remove(edge) }
      if let law { laws.remove(law) }
    } else if let edge = Edge(rawValue: String(argument.dropFirst("only=".count))) {
      edges = [edge]
    }
  }

  private func story(_ seed: UInt64) -> Story { StoryTeller.story(seed: seed, edges: edges, laws: laws) }

  /// 0 when all laws hold in all worlds, 1 when one is broken, 64 for wrong usage.
  package func run() -> Int32 {
    if breaksRules { return breakAll() }
    switch numbers.count {
    case 1: return replay(numbers[0])
    case 2: return runAll(count: numbers[0], base: numbers[1])
    default:
      print("usage: simulate COUNT FIRST_SEED, simulate SEED, or simulate broken")
      return 64
    }
  }

  private func replay(_ seed: UInt64) -> Int32 {
    let story = story(seed)
    let outcome = story.told(code: code)
    guard let violation = outcome.violation else {
      print(story.trace(code: code).joined(separator: "\n"))
      print("seed \(seed): all laws hold")
      return 0
    }
    let shortest = story.shortest(breaking: violation.law, code: code)
    print(shortest.report)
    print(shortest.story.trace(code: code).joined(separator: "\n"))
    return 1
  }

  private func runAll(count: UInt64, base: UInt64) -> Int32 {
    var (worlds, steps, faults, conflicts, broken) = (0, 0, 0, 0, [Law: Int]())
    for seed in base..<base + count {
      let story = story(seed)
      if code != nil, !story.settings.server.canBeServed { continue }
      let outcome = story.told(code: code)
      worlds += 1
      steps += story.steps.count
      faults += outcome.faults
      conflicts += outcome.conflicts
      guard let violation = outcome.violation else { continue }
      broken[violation.law, default: 0] += 1
      if broken[violation.law, default: 0] <= 5 { print(story.shortest(breaking: violation.law, code: code).report) }
    }
    for law in Law.allCases where broken[law] != nil { print("\(law): broken in \(broken[law, default: 0]) worlds") }
    print(
      "\(worlds) worlds, \(steps) steps, \(faults) faults, \(conflicts) conflicts left, \(broken.values.reduce(0, +)) broken"
    )
    return broken.isEmpty ? 0 : 1
  }

  private func breakAll() -> Int32 {
    let caught = Breakage.all.map { breakage in
      let story = Story.first(noticing: breakage)
      let law = story.flatMap { $0.told(breakage: breakage).violation?.law }
      guard let story, let law else {
        print("not noticed: a device that \(breakage)")
        return false
      }
      let steps = story.shortest(breaking: law, breakage: breakage).story.steps.count
      print("seed \(story.seed), \(law), \(steps) steps: a device that \(breakage)")
      return true
    }
    return caught.allSatisfy { $0 } ? 0 : 1
  }
}
