#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

/* What Swift cannot import by itself: globals that change, attribute macros, varargs, and wcwidth. */

int wcwidth(wchar_t);
/* From term.h, whose macros (columns, lines, tab) would get in everybody's way. */
int setupterm(const char *, int, int *);
char *tigetstr(const char *);

static inline WINDOW *curses_stdscr(void) { return stdscr; }
static inline SCREEN *curses_newterm(void) { return newterm(NULL, stdout, stdin); }
static inline int curses_colors(void) { return COLORS; }
static inline const char *curses_codeset(void) { return nl_langinfo(CODESET); }

static inline attr_t curses_attributes(bool bold, bool dim, bool underline, bool reverse) {
  return (bold ? A_BOLD : A_NORMAL) | (dim ? A_DIM : A_NORMAL)
    | (underline ? A_UNDERLINE : A_NORMAL) | (reverse ? A_REVERSE : A_NORMAL);
}

static inline int curses_set_style(WINDOW *window, attr_t attributes, short pair) {
  return wattr_set(window, attributes, pair, NULL);
}

/* Columns of one scalar by the C library's table, whatever the locale of the program. Below zero: not printable. */
static inline int columns_of_scalar(uint32_t scalar) {
  static locale_t utf8;
  if (!utf8) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (!utf8) return wcwidth((wchar_t)scalar);
  locale_t before = uselocale(utf8);
  int columns = wcwidth((wchar_t)scalar);
  uselocale(before);
  return columns;
}
