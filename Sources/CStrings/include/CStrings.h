#include <stddef.h>

/* The files of Resources/strings as bytes in the program. */

typedef struct {
  const unsigned char *bytes;
  size_t count;
} strings_file;

strings_file strings_en(void);
strings_file strings_es(void);
strings_file strings_ja(void);
strings_file strings_zh_hant(void);
