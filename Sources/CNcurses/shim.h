#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

/* What Swift cannot import by itself: globals that change, attribute macros, varargs, and wcwidth. */

int wcwidth(wchar_t);
/* From term.h, whose macros (columns, lines, tab) would get in everybody's way. */
int setupterm(const char *, int, int *);
char *tigetstr(const char *);
int tigetnum(const char *);

/* From sys/mman.h, which hides it unless asked for GNU's additions. */
int memfd_create(const char *, unsigned int);

/* A file that is nothing but memory. 1 is MFD_CLOEXEC. Below zero: there is none to be had. */
static inline int memory_file(void) { return memfd_create("screen", 1); }

/* struct sched_attr of sched_setattr(2), in its first version. The slice of an ordinary thread is in `runtime`. */
struct scheduling { uint32_t size, policy; uint64_t flags; int32_t nice; uint32_t priority; uint64_t runtime, deadline, period; };

/* Sets the length of the turns of the calling thread, in nanoseconds. Threads that it starts later have the usual one. */
static inline bool ask_for_turns_of(uint64_t nanoseconds) {
  struct scheduling wish;
  if (syscall(SYS_sched_getattr, 0, &wish, sizeof wish, 0) != 0) return false;
  wish.size = sizeof wish;
  wish.runtime = nanoseconds;
  wish.flags |= 1; /* SCHED_FLAG_RESET_ON_FORK */
  return wish.policy == 0 && syscall(SYS_sched_setattr, 0, &wish, 0) == 0;
}

static inline WINDOW *curses_stdscr(void) { return stdscr; }
static inline SCREEN *curses_newterm(FILE *output, FILE *input) { return newterm(NULL, output, input); }
static inline int curses_colors(void) { return COLORS; }
static inline int curses_color_pairs(void) { return COLOR_PAIRS; }
static inline const char *curses_codeset(void) { return nl_langinfo(CODESET); }

static inline attr_t curses_attributes(bool bold, bool dim, bool underline, bool reverse) {
  return (bold ? A_BOLD : A_NORMAL) | (dim ? A_DIM : A_NORMAL)
    | (underline ? A_UNDERLINE : A_NORMAL) | (reverse ? A_REVERSE : A_NORMAL);
}

/* The short argument is too small for the pairs of a terminal of many colours; ncurses takes the int instead. */
static inline int curses_set_style(WINDOW *window, attr_t attributes, int pair) {
  return wattr_set(window, attributes, (short)pair, &pair);
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
