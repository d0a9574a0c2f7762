import Testing

@testable import Terminal

@Suite("Presses of the mouse")
struct MouseTests {
  private func events(_ text: String) -> [TerminalEvent] {
    var keyboard = Keyboard()
    return keyboard.send(text)
  }

  @Test("the main button and the wheel are told with their cell, from 0, whatever else is held down")
  func kinds() {
    #expect(events("\u{1B}[<0;1;1M") == [.mouse(MouseEvent(.press, column: 0, row: 0))])
    #expect(events("\u{1B}[<64;80;24M") == [.mouse(MouseEvent(.wheelUp, column: 79, row: 23))])
    #expect(events("\u{1B}[<65;300;2M") == [.mouse(MouseEvent(.wheelDown, column: 299, row: 1))])
    #expect(events("\u{1B}[<20;3;2M") == [.mouse(MouseEvent(.press, column: 2, row: 1))])
  }

  @Test("releases, motion, other buttons and nonsense are nothing")
  func nothing() {
    for text in ["0;1;1m", "32;1;1M", "2;1;1M", "66;1;1M", "0;1M", "0;999999999999;1M", "0;-1;1M"] {
      #expect(events("\u{1B}[<" + text) == [], "\(text)")
    }
    #expect(events("\u{1B}[<0;0;0M") == [.mouse(MouseEvent(.press, column: 0, row: 0))])
  }

  @Test("two presses of one cell within 400 ms are a double press, and a third begins anew")
  func doublePress() {
    var keyboard = Keyboard()
    let press = "\u{1B}[<0;5;6M\u{1B}[<0;5;6m"
    #expect(keyboard.send(press) == [.mouse(MouseEvent(.press, column: 4, row: 5))])
    _ = keyboard.pause(.milliseconds(400))
    #expect(keyboard.send(press) == [.mouse(MouseEvent(.doublePress, column: 4, row: 5))])
    #expect(keyboard.send(press) == [.mouse(MouseEvent(.press, column: 4, row: 5))])
    _ = keyboard.pause(.milliseconds(401))
    #expect(keyboard.send(press) == [.mouse(MouseEvent(.press, column: 4, row: 5))])
  }

  @Test("a press elsewhere or a turn of the wheel in between makes two single ones")
  func singlePresses() {
    var presses = MousePresses()
    let now = ContinuousClock.now
    let here = MouseEvent(.press, column: 1, row: 1)
    for between in [MouseEvent(.press, column: 2, row: 1), MouseEvent(.wheelUp, column: 1, row: 1)] {
      for event in [here, between, here] { #expect(presses.event(event, at: now) == event) }
      presses = MousePresses()
    }
  }
}
