#include <stddef.h>

/* Files of the repository as bytes in the program: what it shows, what its server answers, and its server's schemas. */

typedef struct {
  const unsigned char *bytes;
  size_t count;
} document;

document document_version(void);
document document_readme(void);
document document_licence(void);
document document_changes(void);
document document_live(void);
document document_backups(void);
document document_security(void);
document document_sync_rules(void);
document document_row_states(void);
document document_wire(void);
document document_clients(void);
document document_exchange(void);
document document_architecture(void);
document document_bash(void);
document document_zsh(void);
document document_fish(void);

document document_page_html(void);
document document_page_css(void);
document document_words_js(void);
document document_language_js(void);
document document_texts_js(void);
document document_requests_js(void);
document document_filter_js(void);
document document_page_js(void);
document document_join_html(void);
document document_join_js(void);
document document_openapi(void);
document document_server_sql(void);
document document_postgresql_sql(void);
