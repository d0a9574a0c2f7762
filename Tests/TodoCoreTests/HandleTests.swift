import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("Handles")
struct HandleTests {
  private let device: TestDevice

  init() throws { device = try TestDevice(FakeServer()) }

  @Test("a handle is the shortest beginning no other id has, and at least four characters")
  func shortest() {
    let ids: [RecordID] = ["aaaa1111", "aaaa1122", "bbbb", "cccc9", "ccccdd", "d"]
    let handles = Handles(sortedIDs: ids)
    #expect(ids.map(handles.handle) == ["aaaa111", "aaaa112", "bbbb", "cccc9", "ccccd", "d"])
  }

  @Test("handles are the same as text and as bytes, among many ids and with characters of several bytes")
  func bytes() {
    let many = (0..<5_000).map { RecordID(String($0 &* 2_654_435_761 % 99_991, radix: 16) + "-") }
    let ids = Array(Set(many + ["Übung1", "Übung2", "e\u{301}aaa1", "e\u{301}aaa2", "ab\r\nc1", "ab\r\nc2"])).sorted()
    let handles = Handles(sortedIDs: ids)
    for id in ids {
      var bytes: [UInt8] = []
      handles.appendHandle(of: id, to: &bytes)
      #expect(String(decoding: bytes, as: UTF8.self) == handles.handle(of: id))
    }
    #expect(Set(ids.map(handles.handle)).count == ids.count)
    #expect(handles.handle(of: "ab\r\nc1") == "ab\r\nc1")
  }

  @Test("a beginning that is unique finds its item, another says which items it could be")
  func lookUp() throws {
    let list = try list(of: ["abcd1", "abcd2", "xyz"])
    #expect(try list.item(handle: "x").id == "xyz")
    #expect(try list.item(handle: "XYZ").id == "xyz")
    #expect(throws: TodoError.notFound) { try list.item(handle: "q") }
    #expect(throws: TodoError.notFound) { try list.item(handle: "") }
    do {
      _ = try list.item(handle: "abcd")
      Issue.record("not ambiguous")
    } catch TodoError.ambiguousHandle(let candidates) {
      #expect(candidates.map(\.id) == ["abcd1", "abcd2"])
    }
    #expect(try list.handle(of: "abcd1") == "abcd1")
  }

  @Test("every handle that is printed names its item, whatever the case of the ids")
  func printed() throws {
    let ids: [RecordID] = ["ABCD1", "ABCD2", "Abcd1", "abcd1", "Xyz", "xyZ9", "Ünique", "0f3a"]
    let list = try list(of: ids)
    let handles = try list.handles()
    for id in ids {
      #expect(try list.item(handle: handles.handle(of: id)).id == id)
      #expect(try list.item(handle: id.text).id == id)
    }
  }

  @Test("case counts first, and is ignored only if nothing begins with the handle as it was typed")
  func caseComesFirst() throws {
    let list = try list(of: ["Abc1", "abc2", "ABD3", "note", "Note-2", "Q", "q", "Übung"])
    #expect(try list.item(handle: "Ab").id == "Abc1")
    #expect(try list.item(handle: "ab").id == "abc2")
    #expect(try list.item(handle: "abd").id == "ABD3")
    #expect(try list.item(handle: "NOTE").id == "note")
    #expect(try list.item(handle: "NOTE-").id == "Note-2")
    #expect(try list.item(handle: "übung").id == "Übung")
    do {
      _ = try list.item(handle: "aB")
      Issue.record("not ambiguous")
    } catch TodoError.ambiguousHandle(let candidates) {
      #expect(candidates.map(\.id) == ["ABD3", "Abc1", "abc2"])
    }
  }

  private func list(of ids: [RecordID]) throws -> TodoList {
    for id in ids { try device.table.insert(Record(id: id, values: ["text": .text(id.text)])) }
    return TodoList(context: device.context)
  }
}
