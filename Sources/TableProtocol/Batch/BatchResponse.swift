/// The answer to one entry of a batch.
package struct BatchResponse: Sendable, Hashable {
  /// That of the request.
  package var id: String
  package var status: Int
  /// Names in lower case.
  package var headers: HeaderFields
  /// JSON; nil for none.
  package var body: [UInt8]?
  package var atomicityGroup: String?

  package init(
    id: String, status: Int, headers: HeaderFields = [:], body: [UInt8]? = nil, atomicityGroup: String? = nil
  ) {
    self.id = id
    self.status = status
    self.headers = headers
    self.body = body
    self.atomicityGroup = atomicityGroup
  }
}

extension BatchResponse {
  /// Reads the answers to a batch. Nil when the body is no answer to a batch at all: JSON without
  /// `responses`, or no JSON. Throws when it is one, but not a sound one.
  package static func all(in bytes: [UInt8]) throws(JSONError) -> [BatchResponse]? {
    guard var reader = try? JSONReader(bytes), (try? reader.beginObject()) != nil else { return nil }
    var responses: [BatchResponse]?
    while let name = try reader.nextName() {
      if name == "responses" {
        guard reader.next == .array else { return nil }
        responses = try list(&reader)
      } else {
        try reader.raw()
      }
    }
    try reader.end()
    return responses
  }

  private static func list(_ reader: inout JSONReader) throws(JSONError) -> [BatchResponse] {
    var responses: [BatchResponse] = []
    try reader.beginArray()
    while try reader.nextElement() { responses.append(try BatchResponse(from: &reader)) }
    return responses
  }

  private init(from reader: inout JSONReader) throws(JSONError) {
    let start = reader.position
    self.init(id: "", status: 0)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "id": id = try reader.string()
      case "status": if case .integer(let number) = try reader.value() { status = Int(number) }
      case "headers": headers = try BatchRequest.headers(&reader)
      case "body": body = try BatchRequest.body(&reader)
      case "atomicityGroup": atomicityGroup = try reader.optionalString()
      default: try reader.raw()
      }
    }
    guard (100..<600).contains(status) else { throw JSONError(.wrongShape, at: start) }
  }
}

/// Writes the answers to a batch one by one.
package struct BatchResponseWriter: Sendable {
  private var writer = JSONWriter(capacity: 65_536)
  private var isEmpty = true

  package init() {
    writer.raw("{\"responses\":[")
  }

  /// Bytes written so far.
  package var size: Int { writer.bytes.count }

  package mutating func append(_ response: BatchResponse) {
    let headers = response.headers.map { ($0.name, Optional($0.value)) }
    append(response.id, status: response.status, group: response.atomicityGroup, headers: headers, body: response.body)
  }

  /// Headers go out in the order they come in; those that are nil are left out.
  package mutating func append(
    _ id: String, status: Int, group: String?, headers: [(name: String, value: String?)], body: [UInt8]?
  ) {
    writer.raw(isEmpty ? "{\"id\":" : ",{\"id\":")
    isEmpty = false
    writer.string(id)
    writer.raw(",\"status\":")
    writer.integer(Int64(status))
    if let group {
      writer.raw(",\"atomicityGroup\":")
      writer.string(group)
    }
    append(headers)
    if let body {
      writer.raw(",\"body\":")
      writer.json(body)
    }
    writer.raw("}")
  }

  private mutating func append(_ headers: [(name: String, value: String?)]) {
    var isFirst = true
    for (name, value) in headers {
      guard let value else { continue }
      if isFirst { writer.raw(",\"headers\":{") }
      writer.member(name, isFirst: isFirst)
      writer.string(value)
      isFirst = false
    }
    if !isFirst { writer.raw("}") }
  }

  /// The whole body.
  package consuming func finished() -> [UInt8] {
    writer.raw("]}")
    return writer.bytes
  }
}
