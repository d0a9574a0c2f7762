/// Texts of items, and the day that each is due: devices and the server's calendar must read them alike.
package enum DueTexts {
  package static let all: [(text: String, day: String?)] = [
    ("Pay the rent due:2026-12-01", "2026-12-01"),
    ("due:2026-12-01", "2026-12-01"),
    ("(A) due:2028-02-29 leap", "2028-02-29"),
    ("two due:2026-12-01 due:2026-12-02", "2026-12-01"),
    ("the first is none due:soon due:2026-12-02", nil),
    ("no such day due:2026-02-29", nil),
    ("short due:2026-1-1", nil),
    ("long due:2026-12-011", nil),
    ("a comma due:2026-12-01,", nil),
    ("Due:2026-12-01", nil),
    ("xdue:2026-12-01", nil),
    ("a tab\tdue:2026-12-01", nil),
    ("below\nit due:2026-12-01", nil),
    ("here due:2026-12-01\nand due:2026-12-02 below", "2026-12-01"),
    ("carriage return due:2026-12-01\r\nnote", nil),
    ("after the end\0 due:2026-12-01", nil),
    ("    due:2026-12-01   ", "2026-12-01"),
    ("é due:0001-01-01", "0001-01-01"),
    ("full width due:２０２６-12-01", nil),
    ("due:", nil),
    ("", nil),
  ]
}
