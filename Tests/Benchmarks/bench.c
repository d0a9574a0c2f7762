// Measures ebb beside the floor program, in turn (A B A B), and prints medians, ratios and what they should be.
//   bench EBB FLOOR [RUNS]
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
static int missed = 0;

void note(Sample *sample, double value) {
  if (sample->count < MOST) sample->values[sample->count++] = value;
}

static int ascending(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

double quantile(Sample *sample, double share) {
  if (sample->count == 0) return 0;
  qsort(sample->values, sample->count, sizeof *sample->values, ascending);
  return sample->values[(int)(share * (sample->count - 1) + 0.5)];
}

/// One line of the table. A limit of 0 is none.
static void line(const char *what, int items, double ebb, double floor, const char *unit, double limit, double ratio) {
  int ok = (!limit || ebb <= limit) && (!ratio || ebb <= ratio * floor);
  char name[64], target[64] = "";
  snprintf(name, sizeof name, "%s, %d items", what, items);
  if (limit) snprintf(target, sizeof target, "%.4g %s", limit, unit);
  if (ratio) snprintf(target + strlen(target), sizeof target - strlen(target), "%s%.2g x", limit ? ", " : "", ratio);
  printf("%-40s %8.2f %8.2f %-6s %5.2f   %-14s %s\n", name, ebb, floor, unit, floor > 0 ? ebb / floor : 0, target,
         limit || ratio ? ok ? "ok" : "MISSED" : "");
  fflush(stdout);
  if (!ok) missed++;
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
    time_command(words(program, items, "add", "Bench model"), output());
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
  line("first paint", items, quantile(&paint[EBB], 0.5), quantile(&paint[FLOOR], 0.5), "ms", 10, 3);
  line("  memory then", items, quantile(&memory[EBB], 0.5), quantile(&memory[FLOOR], 0.5), "MiB", 20, 0);
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
  line("key to screen, changed", items, quantile(&e->changed, 0.5), quantile(&f->changed, 0.5), "ms", 0, 0);
  line("key to screen, drawn", items, quantile(&e->drawn, 0.5), quantile(&f->drawn, 0.5), "ms", 1, 2);
  line("  p95", items, quantile(&e->drawn, 0.95), quantile(&f->drawn, 0.95), "ms", 3, 0);
  line("  bytes a key", items, quantile(&e->bytes, 0.5), quantile(&f->bytes, 0.5), "", 300, 0);
  line("300 keys at once, drawn", items, quantile(&e->flood, 0.5), quantile(&f->flood, 0.5), "ms", 30, 0.5);
}

static void measure_command(int items, const char *name, const char *verbs[PROGRAMS], const char *text, double limit,
                            double ratio) {
  static Sample wall[PROGRAMS];
  wall[EBB].count = wall[FLOOR].count = 0;
  for (int run = 0; run < 2 * runs; run++) {
    int program = run % PROGRAMS;
    double took = time_command(words(program, items, verbs[program], text), output());
    if (run >= PROGRAMS) note(&wall[program], took);
  }
  line(name, items, quantile(&wall[EBB], 0.5), quantile(&wall[FLOOR], 0.5), "ms", limit, ratio);
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

int main(int argc, char **argv) {
  if (argc < 3) {
    fputs("bench EBB FLOOR [RUNS]\n", stderr);
    return 64;
  }
  programs[EBB] = argv[1];
  programs[FLOOR] = argv[2];
  if (argc > 3 && atoi(argv[3]) > 1) runs = atoi(argv[3]);
  prepare(argv[0]);
  atexit(clean_up);
  printf("Medians, each program in turn. The floor is a C program that does the least possible.\n\n");
  printf("%-40s %8s %8s %-6s %5s   %s\n", "", "ebb", "floor", "", "ratio", "target");
  int listed[] = {100, 100000}, commanded[] = {1000, 10000};
  for (int i = 0; i < 2; i++) make_stores(listed[i]), measure_paint(listed[i]);
  for (int i = 0; i < 2; i++) measure_keys(listed[i]);
  const char *adds[] = {"add", "add"}, *lists[] = {"list", "ls"};
  for (int i = 0; i < 2; i++) {
    make_stores(commanded[i]);
    measure_command(commanded[i], "ebb list", lists, NULL, i ? 30 : 10, 2);
    measure_command(commanded[i], "ebb add, durable", adds, "Bench added", 15, 3);
  }
  printf("\n%s\n", missed ? "Some targets were missed." : "All targets were met.");
  return 0;
}
