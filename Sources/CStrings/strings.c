#include "CStrings.h"

/* #embed puts a file in at the speed of a copy; what SwiftPM offers for it compiles an array of numbers, which for four
   languages takes as long as the rest of the room. The compiler notes the files as its sources: an edit rebuilds. */

static const unsigned char en[] = {
#embed "../../Resources/strings/en.strings"
};
static const unsigned char es[] = {
#embed "../../Resources/strings/es.strings"
};
static const unsigned char ja[] = {
#embed "../../Resources/strings/ja.strings"
};
static const unsigned char zh_hant[] = {
#embed "../../Resources/strings/zh-Hant.strings"
};

strings_file strings_en(void) { return (strings_file){en, sizeof en}; }
strings_file strings_es(void) { return (strings_file){es, sizeof es}; }
strings_file strings_ja(void) { return (strings_file){ja, sizeof ja}; }
strings_file strings_zh_hant(void) { return (strings_file){zh_hant, sizeof zh_hant}; }
