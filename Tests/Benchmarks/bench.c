// Measures ebb beside the floor program, in turn (A B A B), and prints medians, ratios and what they should be.
//   bench EBB FLOOR [list] [background] [sync] [server] [postgres] [RUNS]
// Without a part, the first three: the list and the commands; the list while a sync runs, and when idle; the devices
// and the server. `server` is the server alone, with a million rows; `postgres` is one on PostgreSQL, beside pgbench.
#define _GNU_SOURCE
#include "bench.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[PATH_MAX / 2];

char *place(const char *format, ...) {
  char path[PATH_MAX];
  va_list parts;
  int length = snprintf(path, sizeof path, "%s/", folder);
  va_start(parts, format);
  vsnprintf(path + length, sizeof path - length, format, parts);
  va_end(parts);
  return strdup(path);
}

/// A home of our own beside the measuring program, on a real disk, and nothing of the person's settings.
static void prepare(const char *self) {
  const char *slash = strrchr(self, '/');
  snprintf(folder, sizeof folder, "%.*s/run-XXXXXX", slash ? (int)(slash - self) : 1, slash ? self : ".");
  if (!mkdtemp(folder)) die(folder);
  // PostgreSQL takes a host that begins with a slash for a folder, and any other for a name.
  char *whole = realpath(folder, NULL);
  if (!whole) die(folder);
  snprintf(folder, sizeof folder, "%s", whole);
  free(whole);
  const char *homes[] = {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"};
  for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) setenv(homes[i], folder, 1);
  const char *settings[] = {"EBB_STORE", "EBB_SERVER", "EBB_TOKEN", "EBB_CONFIG"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) unsetenv(settings[i]);
  setenv("TERM", "xterm-256color", 1);
  setenv("LC_ALL", "C.UTF-8", 1);
}

/// A copy of a program in the folder, as an installed one is: the system counts the pages of a file that the linker has
/// just written in larger pieces, and with them memory that nobody uses.
static char *installed(const char *program, const char *name) {
  char command[2 * PATH_MAX], *path = place("%s", name);
  snprintf(command, sizeof command, "cp '%s' '%s'", program, path);
  if (system(command) != 0) die(program);
  return path;
}

static void clean_up(void) {
  char command[PATH_MAX];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command) != 0) fprintf(stderr, "bench: %s was not removed\n", folder);
}

int main(int argc, char **argv) {
  int list = 0, background = 0, sync = 0, server = 0, postgres = 0, runs = 11;
  for (int i = 3; i < argc; i++) {
    if (!strcmp(argv[i], "list")) list = 1;
    else if (!strcmp(argv[i], "background")) background = 1;
    else if (!strcmp(argv[i], "sync")) sync = 1;
    else if (!strcmp(argv[i], "server")) server = 1;
    else if (!strcmp(argv[i], "postgres")) postgres = 1;
    else if (atoi(argv[i]) > 1) runs = atoi(argv[i]);
    else argc = 0;
  }
  if (argc < 3) {
    fputs("bench EBB FLOOR [list] [background] [sync] [server] [postgres] [RUNS]\n", stderr);
    return 64;
  }
  prepare(argv[0]);
  atexit(clean_up);
  char *ebb = installed(argv[1], "ebb"), *floor = installed(argv[2], "floor");
  heading();
  if (!list && !background && !sync && !server && !postgres) list = background = sync = 1;
  if (list) measure_list(ebb, floor, runs), measure_bulk(ebb);
  if (background) measure_background(ebb, floor);
  if (sync) measure_sync(ebb, runs);
  if (server) measure_serve(ebb);
  if (postgres) measure_postgres(ebb);
  printf("\n%s\n", targets_missed() ? "Some targets were missed." : "All targets were met.");
  return 0;
}
