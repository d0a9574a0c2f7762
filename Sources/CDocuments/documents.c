#include "CDocuments.h"

/* As in CStrings: #embed is quick, and an edit of a page rebuilds. Nothing is read of these before somebody asks. */

static const unsigned char version[] = {
#embed "../../Resources/version"
};
static const unsigned char readme[] = {
#embed "../../README.md"
};
static const unsigned char licence[] = {
#embed "../../LICENSE"
};
static const unsigned char changes[] = {
#embed "../../Resources/docs/CHANGELOG.md"
};
static const unsigned char live[] = {
#embed "../../Resources/docs/live.md"
};
static const unsigned char backups[] = {
#embed "../../Resources/docs/backups.md"
};
static const unsigned char security[] = {
#embed "../../Resources/docs/security.md"
};
static const unsigned char sync_rules[] = {
#embed "../../Resources/docs/sync-rules.md"
};
static const unsigned char row_states[] = {
#embed "../../Resources/docs/row-states.md"
};
static const unsigned char wire[] = {
#embed "../../Resources/docs/wire.md"
};
static const unsigned char clients[] = {
#embed "../../Resources/docs/write-another-client.md"
};
static const unsigned char exchange[] = {
#embed "../../Resources/docs/exchange.md"
};
static const unsigned char architecture[] = {
#embed "../../Resources/docs/architecture.md"
};
static const unsigned char bash[] = {
#embed "../../Resources/completions/ebb.bash"
};
static const unsigned char zsh[] = {
#embed "../../Resources/completions/_ebb"
};
static const unsigned char fish[] = {
#embed "../../Resources/completions/ebb.fish"
};
static const unsigned char page_html[] = {
#embed "../../Resources/browser/page.html"
};
static const unsigned char page_css[] = {
#embed "../../Resources/browser/page.css"
};
static const unsigned char words_js[] = {
#embed "../../Resources/browser/words.js"
};
static const unsigned char language_js[] = {
#embed "../../Resources/browser/language.js"
};
static const unsigned char texts_js[] = {
#embed "../../Resources/browser/texts.js"
};
static const unsigned char requests_js[] = {
#embed "../../Resources/browser/requests.js"
};
static const unsigned char filter_js[] = {
#embed "../../Resources/browser/filter.js"
};
static const unsigned char page_js[] = {
#embed "../../Resources/browser/page.js"
};
static const unsigned char join_html[] = {
#embed "../../Resources/browser/join.html"
};
static const unsigned char join_js[] = {
#embed "../../Resources/browser/join.js"
};
static const unsigned char openapi[] = {
#embed "../../Resources/openapi/openapi.json"
};
static const unsigned char server_sql[] = {
#embed "../../Resources/schema/server.sql"
};
static const unsigned char postgresql_sql[] = {
#embed "../../Resources/schema/postgresql.sql"
};

document document_version(void) { return (document){version, sizeof version}; }
document document_readme(void) { return (document){readme, sizeof readme}; }
document document_licence(void) { return (document){licence, sizeof licence}; }
document document_changes(void) { return (document){changes, sizeof changes}; }
document document_live(void) { return (document){live, sizeof live}; }
document document_backups(void) { return (document){backups, sizeof backups}; }
document document_security(void) { return (document){security, sizeof security}; }
document document_sync_rules(void) { return (document){sync_rules, sizeof sync_rules}; }
document document_row_states(void) { return (document){row_states, sizeof row_states}; }
document document_wire(void) { return (document){wire, sizeof wire}; }
document document_clients(void) { return (document){clients, sizeof clients}; }
document document_exchange(void) { return (document){exchange, sizeof exchange}; }
document document_architecture(void) { return (document){architecture, sizeof architecture}; }
document document_bash(void) { return (document){bash, sizeof bash}; }
document document_zsh(void) { return (document){zsh, sizeof zsh}; }
document document_fish(void) { return (document){fish, sizeof fish}; }
document document_page_html(void) { return (document){page_html, sizeof page_html}; }
document document_page_css(void) { return (document){page_css, sizeof page_css}; }
document document_words_js(void) { return (document){words_js, sizeof words_js}; }
document document_language_js(void) { return (document){language_js, sizeof language_js}; }
document document_texts_js(void) { return (document){texts_js, sizeof texts_js}; }
document document_requests_js(void) { return (document){requests_js, sizeof requests_js}; }
document document_filter_js(void) { return (document){filter_js, sizeof filter_js}; }
document document_page_js(void) { return (document){page_js, sizeof page_js}; }
document document_join_html(void) { return (document){join_html, sizeof join_html}; }
document document_join_js(void) { return (document){join_js, sizeof join_js}; }
document document_openapi(void) { return (document){openapi, sizeof openapi}; }
document document_server_sql(void) { return (document){server_sql, sizeof server_sql}; }
document document_postgresql_sql(void) { return (document){postgresql_sql, sizeof postgresql_sql}; }
