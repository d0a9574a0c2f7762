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

document document_version(void) { return (document){version, sizeof version}; }
document document_readme(void) { return (document){readme, sizeof readme}; }
document document_licence(void) { return (document){licence, sizeof licence}; }
document document_changes(void) { return (document){changes, sizeof changes}; }
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
