import TableProtocol

/// A flat JSON object with its members in the order they are given: what `--json` prints.
struct JSONObject {
  private(set) var writer = JSONWriter()

  init(_ members: KeyValuePairs<StaticString, FieldValue>) {
    writer.raw("{")
    var isFirst = true
    for (name, value) in members {
      writer.member("\(name)", isFirst: isFirst)
      writer.value(value)
      isFirst = false
    }
    writer.raw("}")
  }

  var bytes: [UInt8] { writer.bytes }
}

extension FieldValue {
  init(_ text: String?) { self = text.map(FieldValue.text) ?? .null }
  init(_ number: Int) { self = .integer(Int64(number)) }
}
