// Devices that sync with a server, near and far, beside one exchange of the same JSON and SQLite writing the same rows.
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES = 10000, ROWS = 100000, REPEATS = 5, TRIPS = 2 };
static const double ROUND_TRIPS[TRIPS] = {0, 50};

static char *ebb;
static Proxy *proxy;
static int responder;

/// What one kind of sync took, time after time; the last receipt, and the most
/// requests and connections that the proxy saw.
typedef struct {
  Sample wall, floor, cpu, memory, server_cpu, server_memory, posted, written;
  double requests, sent, received, pulled;
  long connections, turns, up, down;
} Leg;

static double median(Sample *sample) { return quantile(sample, 0.5); }

static double number(const char *receipt, const char *name) {
  char key[32];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *found = strstr(receipt, key);
  return found ? strtod(found + strlen(key), NULL) : -1;
}

static void read_receipt(Leg *leg, const char *path) {
  char receipt[1024];
  FILE *file = fopen(path, "r");
  if (!file) die(path);
  receipt[fread(receipt, 1, sizeof receipt - 1, file)] = 0;
  fclose(file);
  // A figure beside an error is none.
  if (strstr(receipt, "\"same\":false")) {
    fprintf(stderr, "bench: the list and the server's differ: %s", receipt);
    exit(1);
  }
  leg->requests = number(receipt, "requests");
  leg->sent = number(receipt, "bytesSent");
  leg->received = number(receipt, "bytesReceived");
  leg->pulled = number(receipt, "pulled");
}

/// One `ebb sync` by way of the proxy.
static void sync_device(Leg *leg, char *store, Server *server, double round_trip) {
  char url[64];
  char *output = place("receipt"), *command[] = {ebb, "sync", "--json", "--store", store, "--server", url, NULL};
  snprintf(url, sizeof url, "http://127.0.0.1:%d", proxy->port);
  aim(proxy, server->port, round_trip);
  forget_peak(server);
  double before = processor_time(server->pid);
  Cost cost = run_command(command, output);
  note(&leg->wall, cost.wall), note(&leg->cpu, cost.cpu), note(&leg->memory, cost.memory);
  note(&leg->server_cpu, processor_time(server->pid) - before), note(&leg->server_memory, server_peak(server));
  leg->up = proxy->up, leg->down = proxy->down;
  if (proxy->turns > leg->turns) leg->turns = proxy->turns;
  if (proxy->connections > leg->connections) leg->connections = proxy->connections;
  read_receipt(leg, output);
}

/// The floor in the same minute: what the store holds, sent up or down in one exchange, and written.
static void measure_floor(Leg *leg, const char *store, double (*exchange)(int, const char *), double round_trip) {
  static int number;
  char *json = rows_json(store);
  Rows *rows = read_rows(store, ROWS);
  aim(proxy, responder, round_trip);
  double posted = exchange(proxy->port, json), written = write_rows(place("floor-%d.sqlite", number++), rows);
  note(&leg->posted, posted), note(&leg->written, written), note(&leg->floor, posted + written);
  free(json);
  free_rows(rows);
}

static void print_traffic(const Leg *leg) {
  printf("  %.0f requests, %.2f MB sent, %.2f MB received (seen on the way: %ld on %ld connection%s, %.2f, %.2f)\n",
         leg->requests, leg->sent / 1e6, leg->received / 1e6, leg->turns, leg->connections,
         leg->connections == 1 ? "" : "s", leg->up / 1e6, leg->down / 1e6);
}

static void print_cost(Leg *leg) {
  printf("  ebb %.0f ms CPU, %.0f MiB; server %.0f ms CPU, %.0f MiB\n", median(&leg->cpu), median(&leg->memory),
         median(&leg->server_cpu), median(&leg->server_memory));
}

static void print_leg(Leg *leg, const char *what, double round_trip) {
  char name[64];
  int far = round_trip > 0;
  snprintf(name, sizeof name, "%s, %.0f ms round trip", what, round_trip);
  line(name, median(&leg->wall), median(&leg->floor), "ms", far ? 1000 : 0, far ? 2 : 0);
  print_traffic(leg);
  print_cost(leg);
  printf("  floor: exchange %.0f ms, SQLite %.0f ms\n", median(&leg->posted), median(&leg->written));
}

/// Changes made offline up to an empty server, then down to a device that has nothing.
static void measure_changes(double round_trip) {
  static Leg up, down;
  static int number;
  memset(&up, 0, sizeof up), memset(&down, 0, sizeof down);
  for (int repeat = 0; repeat < REPEATS; repeat++, number++) {
    char *first = place("first-%d.sqlite", number), *second = place("second-%d.sqlite", number);
    run_command((char *[]){ebb, "add", "Bench model", "--store", first, NULL}, place("output"));
    fill_offline(first, CHANGES);
    Server server = start_server(ebb, place("server-%d.sqlite", number));
    sync_device(&up, first, &server, round_trip);
    measure_floor(&up, first, post, round_trip);
    sync_device(&down, second, &server, round_trip);
    if (down.pulled != CHANGES) fprintf(stderr, "bench: %.0f of %d items came down\n", down.pulled, CHANGES);
    measure_floor(&down, second, get, round_trip);
    stop_server(&server);
  }
  print_leg(&up, "10,000 items up", round_trip);
  print_leg(&down, "10,000 items down", round_trip);
}

/// The rows are sent to it, not written into its database: the server must have counted them.
static Server filled_server(void) {
  char *store = place("filler.sqlite");
  Leg leg = {0};
  Server server = start_server(ebb, place("filled.sqlite"));
  run_command((char *[]){ebb, "add", "Bench model", "--store", store, NULL}, place("output"));
  fill_offline(store, ROWS);
  sync_device(&leg, store, &server, 0);
  return server;
}

static void print_refresh(Leg *leg, const char *what, double round_trip) {
  char name[64];
  snprintf(name, sizeof name, "%s, %.0f ms round trip", what, round_trip);
  line(name, median(&leg->wall), median(&leg->floor), "ms", 0, 0);
  line("  requests", leg->turns, 1, "", 1, 0);
  line("  connections", leg->connections, 1, "", 1, 0);
  printf("  %.0f rows were news, %.0f bytes received; ebb %.1f ms CPU, %.0f MiB; server %.1f ms CPU\n", leg->pulled,
         leg->received, median(&leg->cpu), median(&leg->memory), median(&leg->server_cpu));
}

static void refresh(Leg *leg, char *store, Server *server, double round_trip) {
  sync_device(leg, store, server, round_trip);
  aim(proxy, responder, round_trip);
  note(&leg->floor, get(proxy->port, ""));
}

static void change_item(char *store, Server *server, int number) {
  Leg leg = {0};
  char text[64], query[64];
  snprintf(text, sizeof text, "Bench changed %d", number);
  snprintf(query, sizeof query, "SELECT id FROM TodoItem LIMIT 1 OFFSET %d", 500 + number);
  char *id = one_text(store, query);
  run_command((char *[]){ebb, "edit", id, text, "--store", store, NULL}, place("output"));
  sync_device(&leg, store, server, 0);
  free(id);
}

static void measure_refresh(int runs) {
  static Leg first, nothing, changed;
  char *one = place("one.sqlite"), *two = place("two.sqlite");
  Server server = filled_server();
  sync_device(&first, one, &server, 0);
  copy_store(one, two);
  measure_floor(&first, one, get, 0);
  print_leg(&first, "100,000 items down, once", 0);
  for (int trip = 0; trip < TRIPS; trip++) {
    memset(&nothing, 0, sizeof nothing), memset(&changed, 0, sizeof changed);
    for (int run = 0; run < runs; run++) refresh(&nothing, one, &server, ROUND_TRIPS[trip]);
    print_refresh(&nothing, "nothing new", ROUND_TRIPS[trip]);
    for (int run = 0; run < REPEATS; run++) {
      change_item(two, &server, trip * REPEATS + run);
      refresh(&changed, one, &server, ROUND_TRIPS[trip]);
    }
    print_refresh(&changed, "1 of 100,000 changed", ROUND_TRIPS[trip]);
  }
  stop_server(&server);
}

void measure_sync(char *program, int runs) {
  ebb = program;
  proxy = start_proxy();
  responder = start_responder();
  printf("\n`ebb sync` from its start to its end; the floor is one exchange and, where rows travel, SQLite writing"
         " them. Medians of %d,\nof %d where nothing is new.\n", REPEATS, runs);
  for (int trip = 0; trip < TRIPS; trip++) measure_changes(ROUND_TRIPS[trip]);
  measure_refresh(runs);
  stop_proxy(proxy);
}
