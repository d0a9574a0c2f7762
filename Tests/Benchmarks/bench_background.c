// What goes on behind the list must not be felt: keys while 10,000 items go up or come down, and nothing when idle.
#define _GNU_SOURCE
#include "bench.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 100000, CHANGES = 10000, REPEATS = 6, THREADS = 256 };
/// Seconds: after the last key the threads that have nothing left to do may still end, then nothing is to happen.
enum { SETTLE = 8, WATCH = 12 };
/// How long keys are pressed, in ms; of those only the ones before the end of the sync count.
static const double LONGEST_SYNC = 6000;

static char *ebb;

static char **list_of(char *store, int port) {
  static char *words[8], url[64];
  snprintf(url, sizeof url, "http://127.0.0.1:%d", port);
  memcpy(words, (char *[]){ebb, "--store", store, "--server", url, NULL}, 6 * sizeof *words);
  return words;
}

static void sync_once(char *store, int port) {
  char **words = list_of(store, port);
  run_command((char *[]){ebb, "sync", "--store", store, "--server", words[4], NULL}, place("output"));
}

/// A server that has 100,000 items, sent to it, so that its sum of them is right.
static Server full_server(void) {
  char *store = place("busy-filler.sqlite");
  Server server = start_server(ebb, place("busy-server.sqlite"));
  run_command((char *[]){ebb, "add", "Bench model", "--store", store, NULL}, place("output"));
  fill_offline(store, ROWS);
  sync_once(store, server.port);
  return server;
}

/// A store of the floor program with 100,000 items.
static char *full_floor_store(char *floor) {
  char *store = place("floor-idle.sqlite");
  run_command((char *[]){floor, store, "add", "Bench model", NULL}, place("output"));
  fill_store(store, ROWS);
  return store;
}

/// Milliseconds since 1970.
static double wall_clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static double last_sync(const char *store) {
  char *text = one_text(store, "SELECT coalesce((SELECT CAST((julianday(value) - 2440587.5) * 86400000 AS INTEGER)"
                               " FROM Ebb_Facts WHERE name = 'lastPull'), 0)");
  double moment = atof(text);
  free(text);
  return moment;
}

/// Presses refresh in the open list, then keys until the sync is over; only what was pressed before that is noted. The
/// chosen row stays on the first screen: where the list scrolls, its edge stays where it is and is not drawn anew.
static void press_during_sync(Session *session, const char *store, Sample *sample) {
  static double pressed[MOST], took[MOST];
  double began = wall_clock(), ended = 0;
  int count = 0;
  press(session, "r", 1);
  while (count < MOST && wall_clock() < began + LONGEST_SYNC && ended < began) {
    usleep(5000);
    discard(session);
    double since = now_ms();
    pressed[count] = wall_clock();
    press(session, count % 60 < 30 ? "j" : "k", 1);
    // The progress of the sync is drawn too, 20 times a second: the answer to the key moves the edge of the chosen row.
    took[count++] = drawn_with(session, since, "▌");
    // Asking costs a connection to the store.
    if (count % 20 == 0) ended = last_sync(store);
  }
  for (int key = 0; key < count; key++)
    if (took[key] >= 0 && pressed[key] < ended) note(sample, took[key]);
}

static void print_keys(const char *way, Sample *sample) {
  char name[64];
  snprintf(name, sizeof name, "key while 10,000 items %s, drawn", way);
  line(name, quantile(sample, 0.5), 0, "ms", 1, 0);
  snprintf(name, sizeof name, "  p95 of %d keys", sample->count);
  line(name, quantile(sample, 0.95), 0, "ms", 3, 0);
}

/// Times a thread of the process was put on a processor, by thread.
typedef struct {
  int thread[THREADS], count;
  double wakes[THREADS], cpu;
} Activity;

static double switches(int pid, int thread) {
  char path[64], text[256];
  double sum = 0, number;
  snprintf(path, sizeof path, "/proc/%d/task/%d/status", pid, thread);
  FILE *status = fopen(path, "r");
  if (!status) return 0;
  while (fgets(text, sizeof text, status))
    if (sscanf(text, "voluntary_ctxt_switches: %lf", &number) == 1 ||
        sscanf(text, "nonvoluntary_ctxt_switches: %lf", &number) == 1) sum += number;
  fclose(status);
  return sum;
}

static Activity activity(const Session *session) {
  Activity seen = {.cpu = processor_time(session->pid)};
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", session->pid);
  DIR *tasks = opendir(path);
  if (!tasks) die(path);
  for (struct dirent *entry; (entry = readdir(tasks)) && seen.count < THREADS;) {
    int thread = atoi(entry->d_name);
    if (thread == 0) continue;
    seen.thread[seen.count] = thread;
    seen.wakes[seen.count++] = switches(session->pid, thread);
  }
  closedir(tasks);
  return seen;
}

/// A thread that ended in between was woken at least once.
static double wakes(const Activity *before, const Activity *after) {
  double sum = 0;
  for (int i = 0; i < after->count; i++) sum += after->wakes[i];
  for (int i = 0; i < before->count; i++) {
    int j = 0;
    while (j < after->count && after->thread[j] != before->thread[i]) j++;
    sum += j < after->count ? -before->wakes[i] : 1;
  }
  return sum;
}

/// Three programs that nobody touches: the list, the list after a sync, and the floor.
static void measure_idle(Session *idle, Session *synced, Session *floor) {
  Session *sessions[] = {idle, synced, floor};
  static Activity before[3], after[3];
  sleep(SETTLE);
  for (int i = 0; i < 3; i++) before[i] = activity(sessions[i]);
  sleep(WATCH);
  for (int i = 0; i < 3; i++) after[i] = activity(sessions[i]);
  for (int i = 0; i < 2; i++) {
    double perMinute = 60.0 / WATCH, others = wakes(&before[2], &after[2]) * perMinute;
    line(i ? "wake-ups a minute, idle after a sync" : "wake-ups a minute, idle", wakes(&before[i], &after[i]) * perMinute,
         others, "", 0.5, 0);
    line("  processor time", (after[i].cpu - before[i].cpu) * perMinute, (after[2].cpu - before[2].cpu) * perMinute, "ms",
         0.5, 0);
  }
}

void measure_background(char *program, char *floor) {
  look_promptly();
  static Sample up, down;
  Session idle, synced, other;
  ebb = program;
  Server server = full_server();
  char *one = place("busy-one.sqlite"), *bare = full_floor_store(floor);
  sync_once(one, server.port);
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    char *two = place("busy-two-%d.sqlite", repeat);
    copy_store(one, two);
    run_command((char *[]){ebb, "add", "Bench model", "--store", two, NULL}, place("output"));
    fill_offline(two, CHANGES);
    open_session(&idle, list_of(two, server.port), "Bench");
    drawn(&idle, 0, 200, NULL, NULL);
    press_during_sync(&idle, two, &up);
    close_session(&idle);
    open_session(&synced, list_of(one, server.port), "Bench");
    drawn(&synced, 0, 200, NULL, NULL);
    press_during_sync(&synced, one, &down);
    if (repeat + 1 < REPEATS) close_session(&synced);
  }
  print_keys("go up", &up);
  print_keys("come down", &down);
  line("memory after that", resident(&synced), 0, "MiB", 0, 0);
  open_session(&idle, list_of(one, server.port), "Bench");
  open_session(&other, (char *[]){floor, bare, NULL}, "Bench");
  measure_idle(&idle, &synced, &other);
  close_session(&idle), close_session(&synced), close_session(&other);
  stop_server(&server);
}
