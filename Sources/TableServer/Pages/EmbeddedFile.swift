import CDocuments

/// A file of `Resources` that the server sends: bytes in the program.
enum EmbeddedFile {
  case rowsPage, invitationPage, style
  case words, language, texts, requests, filter, rows, invitation
  case openAPI

  var text: String {
    String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count), as: UTF8.self)
  }

  private var file: document {
    switch self {
    case .rowsPage: document_page_html()
    case .invitationPage: document_join_html()
    case .style: document_page_css()
    case .words: document_words_js()
    case .language: document_language_js()
    case .texts: document_texts_js()
    case .requests: document_requests_js()
    case .filter: document_filter_js()
    case .rows: document_page_js()
    case .invitation: document_join_js()
    case .openAPI: document_openapi()
    }
  }
}
