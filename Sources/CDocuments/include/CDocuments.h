#include <stddef.h>

/* Pages, scripts and the version of the repository as bytes in the program. */

typedef struct {
  const unsigned char *bytes;
  size_t count;
} document;

document document_version(void);
document document_readme(void);
document document_licence(void);
document document_changes(void);
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
