// The list in a terminal, and the short commands, beside the floor program.
#define _GNU_SOURCE
#include "bench.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EBB, FLOOR, PROGRAMS };
enum { KEYS = 100, FLOOD = 300, SESSIONS = 5 };

static char *programs[PROGRAMS];
static int runs;

/// One line of the table about lists of so many items.
static void items_line(const char *what, int items, double ebb, double floor, const char *unit, double limit,
                       double ratio) {
  char name[64];
  snprintf(name, sizeof name, "%s, %d items", what, items);
  line(name, ebb, floor, unit, limit, ratio);
}

static const char *store(int program, int items) {
  static char *path[PROGRAMS];
  free(path[program]);
  return path[program] = place("%s-%d.sqlite", program == EBB ? "ebb" : "floor", items);
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

static void make_stores(int items) {
  for (int program = 0; program < PROGRAMS; program++) {
    run_command(words(program, items, "add", "Bench model"), place("output"));
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
  Sample changed, drawn, bytes, flood, echo, rows;
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

/// Each letter and its answer: the first of it, and all of it, with the counts that come in the background.
static void type_filter(Session *session, Keys *keys, const char *word) {
  press(session, "/", 1);
  for (; drawn(session, 0, 100, NULL, NULL), *word; word++) {
    double first = 0, since = now_ms();
    press(session, word, 1);
    double last = drawn(session, since, 150, &first, NULL);
    if (last >= 0) note(&keys->echo, first), note(&keys->rows, last);
  }
}

static void measure_keys(int items) {
  static Keys keys[PROGRAMS];
  memset(keys, 0, sizeof keys);
  for (int run = 0; run < PROGRAMS * SESSIONS; run++) {
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

/// Words that fit many items, few at the far end of the list, and none: at the last letters all items are looked at.
static void measure_filter(int items) {
  static Keys keys[PROGRAMS];
  static const char *const typed[] = {"plumb", "099999", "zebra"};
  memset(keys, 0, sizeof keys);
  for (int run = 0; run < PROGRAMS * 2 * 3; run++) {
    Session session;
    int program = run % PROGRAMS;
    open_session(&session, words(program, items, NULL, NULL), "Bench");
    drawn(&session, 0, 200, NULL, NULL);
    type_filter(&session, &keys[program], typed[run / PROGRAMS % 3]);
    close_session(&session);
  }
  Keys *e = &keys[EBB], *f = &keys[FLOOR];
  items_line("filter letter, echo", items, quantile(&e->echo, 0.5), quantile(&f->echo, 0.5), "ms", 3, 0);
  items_line("  p95", items, quantile(&e->echo, 0.95), quantile(&f->echo, 0.95), "ms", 8, 0);
  items_line("  rows and counts", items, quantile(&e->rows, 0.5), quantile(&f->rows, 0.5), "ms", 50, 0);
  items_line("  p95", items, quantile(&e->rows, 0.95), quantile(&f->rows, 0.95), "ms", 0, 0);
}

static void measure_command(int items, const char *name, const char *verbs[PROGRAMS], const char *text, double limit,
                            double ratio) {
  static Sample wall[PROGRAMS];
  wall[EBB].count = wall[FLOOR].count = 0;
  for (int run = 0; run < 2 * runs; run++) {
    int program = run % PROGRAMS;
    double took = run_command(words(program, items, verbs[program], text), place("output")).wall;
    if (run >= PROGRAMS) note(&wall[program], took);
  }
  items_line(name, items, quantile(&wall[EBB], 0.5), quantile(&wall[FLOOR], 0.5), "ms", limit, ratio);
}

void measure_list(char *ebb, char *floor, int count) {
  int listed[] = {100, 10000, 100000}, commanded[] = {1000, 10000};
  const char *adds[] = {"add", "add"}, *lists[] = {"list", "ls"};
  programs[EBB] = ebb, programs[FLOOR] = floor, runs = count;
  for (int i = 0; i < 3; i++) make_stores(listed[i]), measure_paint(listed[i]);
  for (int i = 0; i < 3; i += 2) measure_keys(listed[i]);
  measure_filter(listed[2]);
  for (int i = 0; i < 2; i++) {
    if (i == 0) make_stores(commanded[i]);
    measure_command(commanded[i], "ebb list", lists, NULL, i ? 30 : 10, 2);
    measure_command(commanded[i], "ebb add, durable", adds, "Bench added", 15, 3);
  }
}
