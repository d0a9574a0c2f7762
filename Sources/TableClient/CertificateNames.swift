/// The names in a certificate of those who signed it and whom it is for (RFC 5280, 4.1.2.4 and 4.1.2.6).
///
/// They are compared byte by byte, as authorities copy them from one certificate to the next.
struct CertificateNames: Sendable, Hashable {
  /// In DER, without the head.
  let issuer: [UInt8]
  let subject: [UInt8]

  /// Nil for bytes that are not those of a certificate in DER.
  init?(der bytes: [UInt8]) {
    var file = DERReader(bytes[...])
    guard var certificate = file.next(.sequence).map(DERReader.init),
      var signed = certificate.next(.sequence).map(DERReader.init)
    else { return nil }
    // Certificates of the first version do not name it.
    _ = signed.next(.version)
    guard signed.next(.integer) != nil, signed.next(.sequence) != nil, let issuer = signed.next(.sequence),
      signed.next(.sequence) != nil, let subject = signed.next(.sequence)
    else { return nil }
    self.issuer = Array(issuer)
    self.subject = Array(subject)
  }
}

/// Reads one element of DER after the other (X.690, 8.1).
private struct DERReader {
  enum Tag: UInt8 {
    case integer = 0x02
    case sequence = 0x30
    case version = 0xA0
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The content of the next element. Nil if that has another tag, which is then left, or is not whole.
  mutating func next(_ tag: Tag) -> ArraySlice<UInt8>? {
    guard rest.first == tag.rawValue else { return nil }
    rest = rest.dropFirst()
    guard let length = nextLength(), length <= rest.count else { return nil }
    defer { rest = rest.dropFirst(length) }
    return rest.prefix(length)
  }

  /// In bytes.
  private mutating func nextLength() -> Int? {
    guard let first = rest.popFirst() else { return nil }
    if first < 0x80 { return Int(first) }
    // The number of the bytes in which the length follows.
    let count = Int(first & 0x7F)
    guard (1...3).contains(count), count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reduce(0) { length, byte in length << 8 | Int(byte) }
  }
}
