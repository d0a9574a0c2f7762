/// The forms of a letter that count as the same in a search: small and capital, with and without accents.
enum LetterForms {
  /// A letter without an accent, and after it the same letter with accents, in small letters. Letters of Japanese,
  /// Korean and other scripts are left out: there a mark makes another letter.
  private static let families: [String] = [
    "aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ", "bƀḃḅḇ", "cçćĉċčḉ", "dďđḋḍḏḑḓ", "eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ", "fḟ",
    "gĝğġģǥǧǵḡ", "hĥħȟḣḥḧḩḫẖ", "iìíîïĩīĭįıǐȉȋḭḯỉị", "jĵǰ", "kķǩḱḳḵ", "lĺļľłḷḹḻḽ", "mḿṁṃ", "nñńņňǹṅṇṉṋ",
    "oòóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ", "pṕṗ", "rŕŗřȑȓṙṛṝṟ", "sśŝşšșṡṣṥṧṩ", "tţťŧțṫṭṯṱẗ",
    "uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", "vṽṿ", "wŵẁẃẅẇẉẘ", "xẋẍ", "yýÿŷȳẏẙỳỵỷỹ", "zźżžƶẑẓẕ", "æǣǽ", "ʒǯ",
    "αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ", "εέἐἑἒἓἔἕὲέ", "ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ", "ιΐίϊἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ",
    "οόὀὁὂὃὄὅὸό", "ρῤῥ", "σς", "υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ", "ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ",
    "аӑӓ", "гѓ", "еѐёӗ", "жӂӝ", "зӟ", "ийѝӣӥ", "кќ", "оӧ", "уўӯӱӳ", "чӵ", "ыӹ", "эӭ", "ії", "ѵѷ", "әӛ", "өӫ",
  ]

  /// Returns true for an accent that stands behind its letter: the combining marks U+0300 to U+036F.
  static func isAccent(_ scalar: Unicode.Scalar) -> Bool { (0x300...0x36F).contains(scalar.value) }

  /// All forms of a letter. Forms of several letters are left out.
  static func of(_ scalar: Unicode.Scalar) -> Set<Unicode.Scalar> {
    let own = cases(of: scalar)
    let family = families.first { family in family.unicodeScalars.contains { own.contains($0) } }
    guard let family else { return own }
    return family.unicodeScalars.reduce(into: own) { $0.formUnion(cases(of: $1)) }
  }

  /// The same for all words that a search takes for one another.
  static func folded(_ word: String) -> String {
    let letters = word.unicodeScalars.filter { !isAccent($0) }
    return String(String.UnicodeScalarView(letters.map { of($0).min() ?? $0 }))
  }

  private static func cases(of scalar: Unicode.Scalar) -> Set<Unicode.Scalar> {
    let properties = scalar.properties
    let mappings = [properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping]
    return Set([scalar] + mappings.filter { $0.unicodeScalars.count == 1 }.compactMap(\.unicodeScalars.first))
  }
}
