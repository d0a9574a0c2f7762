import CDocuments

/// A file of `Resources` that the server sends: bytes in the program.
enum EmbeddedFile {
  case rowsPage, rowsScript, invitationPage, invitationScript, style
  case openAPI

  var text: String {
    String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
  }

  private var file: document {
    switch self {
    case .rowsPage: document_page_html()
    case .rowsScript: document_page_js()
    case .invitationPage: document_join_html()
    case .invitationScript: document_join_js()
    case .style: document_page_css()
    case .openAPI: document_openapi()
    }
  }
}
