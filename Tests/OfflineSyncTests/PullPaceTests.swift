import TableProtocol
import Testing

@testable import OfflineSync

/// How often notices may ask for a pull, as a table.
@Suite("The pace of pulls that notices ask for")
struct PullPaceTests {
  private enum Step {
    case ended(PullEnd)
    /// A notice that says something else finds the device here.
    case at(Int)
    case connected
  }

  private static func position(_ place: Int) -> ListPosition {
    ListPosition(token: Timestamp(milliseconds: Int64(place)), database: "d", epoch: 1)
  }

  /// What happened, the pause before the next pull at place 1 (nil: it pulls now), and how long no notice is looked at.
  private static let table: [(steps: [Step], pause: Int?, rest: Int?)] = [
    ([], nil, nil),
    // A pull that was asked for, and has not ended, is not held against the server.
    ([.at(1)], nil, nil),
    ([.at(1), .ended(.complete)], 1_000, nil),
    ([.at(1), .ended(.complete), .at(1)], nil, nil),
    ([.at(1), .ended(.complete), .at(1), .at(1), .ended(.complete)], 2_000, nil),
    ([.at(1), .ended(.complete), .at(1), .at(1), .ended(.complete), .at(1), .at(1), .ended(.complete)], 4_000, nil),
    // It moved.
    ([.at(0), .ended(.complete)], nil, nil),
    ([.at(1), .ended(.complete), .at(1), .at(1), .ended(.complete), .at(2), .at(1), .ended(.complete)], 1_000, nil),
    // A refresh by hand in between proves as much.
    ([.at(1), .ended(.complete), .ended(.complete)], 1_000, nil),
    ([.ended(.incomplete)], nil, 5_000),
    ([.ended(.incomplete), .ended(.incomplete)], nil, 10_000),
    ([.ended(.incomplete), .ended(.incomplete), .ended(.complete)], nil, nil),
    ([.ended(.incomplete), .ended(.incomplete), .connected], nil, nil),
    ([.ended(.incomplete), .connected, .ended(.incomplete)], nil, 5_000),
    ([.at(1), .ended(.incomplete)], nil, 5_000),
    ([.ended(.undecided)], nil, 300_000),
    ([.ended(.undecided), .connected], nil, 300_000),
    ([.ended(.undecided), .ended(.complete)], nil, nil),
    ([.ended(.undecided), .ended(.incomplete), .connected], nil, nil),
  ]

  @Test("is as the table says", arguments: table.indices)
  func cells(row: Int) {
    let (steps, pause, rest) = Self.table[row]
    for (chance, part) in [(1.0, 4), (0, 3), (-7, 3), (7, 4)] {
      var pace = PullPace()
      for step in steps {
        switch step {
        case .ended(let end): pace.note(end, at: 100, chance: chance)
        case .at(let place): _ = pace.pause(at: Self.position(place))
        case .connected: pace.noteConnection()
        }
      }
      #expect(pace.notBefore == rest.map { 100 + $0 * part / 4 })
      if let rest { #expect(pace.rests(at: 99 + rest * part / 4) && !pace.rests(at: 100 + rest * part / 4)) }
      #expect(pace.pause(at: Self.position(1)) == pause)
    }
  }

  @Test("has longest pauses, however often it goes wrong")
  func longest() {
    var pace = PullPace()
    for _ in 0..<200 {
      _ = pace.pause(at: Self.position(1))
      pace.note(.complete, at: 0, chance: 1)
      _ = pace.pause(at: Self.position(1))
    }
    _ = pace.pause(at: Self.position(1))
    pace.note(.complete, at: 0, chance: 1)
    #expect(pace.pause(at: Self.position(1)) == 60_000)
    for _ in 0..<200 { pace.note(.incomplete, at: 0, chance: 1) }
    #expect(pace.notBefore == 300_000)
  }
}
