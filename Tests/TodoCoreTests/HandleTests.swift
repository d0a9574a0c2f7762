import OfflineSync
import Support
import TableProtocol
import Testing

@testable import TodoCore

@Suite("Handles")
struct HandleTests {
  @Test("a handle is the shortest beginning no other id has, and at least four characters")
  func shortest() {
    let ids = ["aaaa1111", "aaaa1122", "bbbb", "cccc9", "ccccdd", "d"]
    let handles = Handles(sortedIDs: ids)
    #expect(ids.map(handles.handle) == ["aaaa111", "aaaa112", "bbbb", "cccc9", "ccccd", "d"])
  }

  @Test("a beginning that is unique finds its item, another says which items it could be")
  func lookUp() throws {
    let device = try TestDevice(FakeServer())
    let list = TodoList(context: device.context)
    for id in ["abcd1", "abcd2", "xyz"] {
      try device.table.insert(Record(id: id, values: ["text": .text(id)]))
    }
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
}
