// Measures ebb beside the floor program, in turn (A B A B), and prints medians, ratios and what they should be.
//   bench EBB FLOOR [list] [sync] [RUNS]
// Without list or sync, both parts: the list and the commands; the devices and the server.
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EBB, FLOOR, PROGRAMS };
enum { KEYS = 100, FLOOD = 300 };

static char *programs[PROGRAMS];
static char folder[PATH_MAX / 2];
static int runs = 11;

/// One line of the table about lists of so many items.
static void items_line(const char *what, int items, double ebb, double floor, const char *unit, double limit,
                       double ratio) {
  char name[64];
  snprintf(name, sizeof name, "%s, %d items", what, items);
  line(name, ebb, floor, unit, limit, ratio);
}

static const char *store(int program, int items) {
  static char path[PROGRAMS][PATH_MAX];
  snprintf(path[program], sizeof path[program], "%s/%s-%d.sqlite", folder, program == EBB ? "ebb" : "floor", items);
  return path[program];
}

/// The words that have a program do something on its store: NULL opens the list.
static char **words(int program, int items, const char *verb, const char *text) {
  static char *list[8];
  char *file = (char *)store(program, items);
  int count = 0;
  list[count++] = programs[program];
  if (program == FLOOR) list[count++] = file;
  if (verb) list[count++] = (char *)verb;
  if (text) list[count++] = (char *)text;
  if (program == EBB) list[count++] = "--store", list[count++] = file;
  list[count] = NULL;
  return list;
}

static const char *output(void) {
  static char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/output", folder);
  return path;
}

static void make_stores(int items) {
  for (int program = 0; program < PROGRAMS; program++) {
    run_command(words(program, items, "add", "Bench model"), output());
    fill_store(store(program, items), items);
  }
}

static void measure_paint(int items) {
  static Sample paint[PROGRAMS], memory[PROGRAMS];
  for (int program = 0; program < PROGRAMS; program++) paint[program].count = memory[program].count = 0;
  for (int run = 0; run < 2 * runs; run++) {
    Session session;
    int program = run % PROGRAMS;
    double painted = open_session(&session, words(program, items, NULL, NULL), "Bench");
    drawn(&session, 0, 100, NULL, NULL);
    if (run >= PROGRAMS) note(&paint[program], painted), note(&memory[program], resident(&session));
    close_session(&session);
  }
  items_line("first paint", items, quantile(&paint[EBB], 0.5), quantile(&paint[FLOOR], 0.5), "ms", 10, 3);
  items_line("  memory then", items, quantile(&memory[EBB], 0.5), quantile(&memory[FLOOR], 0.5), "MiB", 20, 0);
}

typedef struct {
  Sample changed, drawn, bytes, flood;
} Keys;

static void press_keys(Session *session, Keys *keys) {
  for (int number = 0; number < KEYS; number++) {
    double first = 0, since = now_ms();
    size_t bytes;
    press(session, number % 80 < 50 ? "j" : "k", 1);
    double last = drawn(session, since, 3, &first, &bytes);
    if (last < 0) continue;
    note(&keys->changed, first);
    note(&keys->drawn, last);
    note(&keys->bytes, bytes);
  }
}

static void press_flood(Session *session, Keys *keys) {
  char flood[FLOOD];
  memset(flood, 'j', sizeof flood);
  double since = now_ms();
  press(session, flood, sizeof flood);
  double last = drawn(session, since, 50, NULL, NULL);
  if (last >= 0) note(&keys->flood, last);
}

static void measure_keys(int items) {
  static Keys keys[PROGRAMS];
  memset(keys, 0, sizeof keys);
  for (int run = 0; run < 2 * 5; run++) {
    Session session;
    int program = run % PROGRAMS;
    open_session(&session, words(program, items, NULL, NULL), "Bench");
    drawn(&session, 0, 200, NULL, NULL);
    press_keys(&session, &keys[program]);
    press_flood(&session, &keys[program]);
    close_session(&session);
  }
  Keys *e = &keys[EBB], *f = &keys[FLOOR];
  items_line("key to screen, changed", items, quantile(&e->changed, 0.5), quantile(&f->changed, 0.5), "ms", 0, 0);
  items_line("key to screen, drawn", items, quantile(&e->drawn, 0.5), quantile(&f->drawn, 0.5), "ms", 1, 2);
  items_line("  p95", items, quantile(&e->drawn, 0.95), quantile(&f->drawn, 0.95), "ms", 3, 0);
  items_line("  bytes a key", items, quantile(&e->bytes, 0.5), quantile(&f->bytes, 0.5), "", 300, 0);
  items_line("300 keys at once, drawn", items, quantile(&e->flood, 0.5), quantile(&f->flood, 0.5), "ms", 30, 0.5);
}

static void measure_command(int items, const char *name, const char *verbs[PROGRAMS], const char *text, double limit,
                            double ratio) {
  static Sample wall[PROGRAMS];
  wall[EBB].count = wall[FLOOR].count = 0;
  for (int run = 0; run < 2 * runs; run++) {
    int program = run % PROGRAMS;
    double took = run_command(words(program, items, verbs[program], text), output()).wall;
    if (run >= PROGRAMS) note(&wall[program], took);
  }
  items_line(name, items, quantile(&wall[EBB], 0.5), quantile(&wall[FLOOR], 0.5), "ms", limit, ratio);
}

/// A home of our own beside the measuring program, on a real disk, and nothing of the person's settings.
static void prepare(const char *self) {
  const char *slash = strrchr(self, '/');
  snprintf(folder, sizeof folder, "%.*s/run-XXXXXX", slash ? (int)(slash - self) : 1, slash ? self : ".");
  if (!mkdtemp(folder)) die(folder);
  const char *homes[] = {"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"};
  for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) setenv(homes[i], folder, 1);
  const char *settings[] = {"EBB_STORE", "EBB_SERVER", "EBB_TOKEN", "EBB_CONFIG"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) unsetenv(settings[i]);
  setenv("TERM", "xterm-256color", 1);
  setenv("LC_ALL", "C.UTF-8", 1);
}

static void clean_up(void) {
  char command[PATH_MAX];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (system(command) != 0) fprintf(stderr, "bench: %s was not removed\n", folder);
}

static void measure_list(void) {
  int listed[] = {100, 100000}, commanded[] = {1000, 10000};
  for (int i = 0; i < 2; i++) make_stores(listed[i]), measure_paint(listed[i]);
  for (int i = 0; i < 2; i++) measure_keys(listed[i]);
  const char *adds[] = {"add", "add"}, *lists[] = {"list", "ls"};
  for (int i = 0; i < 2; i++) {
    make_stores(commanded[i]);
    measure_command(commanded[i], "ebb list", lists, NULL, i ? 30 : 10, 2);
    measure_command(commanded[i], "ebb add, durable", adds, "Bench added", 15, 3);
  }
}

int main(int argc, char **argv) {
  int list = 0, sync = 0;
  for (int i = 3; i < argc; i++) {
    if (!strcmp(argv[i], "list")) list = 1;
    else if (!strcmp(argv[i], "sync")) sync = 1;
    else if (atoi(argv[i]) > 1) runs = atoi(argv[i]);
    else argc = 0;
  }
  if (argc < 3) {
    fputs("bench EBB FLOOR [list] [sync] [RUNS]\n", stderr);
    return 64;
  }
  programs[EBB] = argv[1];
  programs[FLOOR] = argv[2];
  prepare(argv[0]);
  atexit(clean_up);
  heading();
  if (list || !sync) measure_list();
  if (sync || !list) measure_sync(programs[EBB], folder, runs);
  printf("\n%s\n", targets_missed() ? "Some targets were missed." : "All targets were met.");
  return 0;
}
