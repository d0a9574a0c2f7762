extension Catalogue {
  /// With the language's sign between thousands.
  package func number(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var result = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0 && (digits.count - index) % 3 == 0 { result += text(.thousands) }
      result.append(digit)
    }
    return result
  }

  /// With one digit after the point.
  package func seconds(_ seconds: Double) -> String {
    let tenths = Int((max(0, seconds) * 10).rounded())
    return number(tenths / 10) + text(.decimalPoint) + String(tenths % 10)
  }

  package func bytes(_ count: Int) -> String {
    if count < 1_000 { return text(.bytes, ["count": number(count)]) }
    return text(.kilobytes, ["count": number((count + 500) / 1_000)])
  }
}
