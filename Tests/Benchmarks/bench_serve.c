// `ebb serve` under load, each figure beside SQLite doing the same in this process, or a route that answers a constant.
#define _GNU_SOURCE
#include "bench.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 1000000, REPEATS = 5, BUSY = 200, IDLE = 1000 };

static int sizes[] = {1, 16, BUSY};
static sqlite3 *raw;
static sqlite3_stmt *insert, *point, *news, *page, *search;

/// A table like the server's, with the same promise: what was committed is on the disk.
static void open_raw(void) {
  raw = sql_opened(place("raw.sqlite"));
  sql_run(raw, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
      " CREATE TABLE Item (id TEXT PRIMARY KEY, createdAt INTEGER,"
      " updatedAt INTEGER, version TEXT, deleted INTEGER, text TEXT, complete INTEGER) WITHOUT ROWID;"
      "CREATE INDEX Item_updatedAt ON Item (updatedAt)");
  insert = sql_prepared(raw, "INSERT INTO Item VALUES (?1, ?2, ?2, 'AAABogV59nY=', 0, ?3, 0)");
  point = sql_prepared(raw, "SELECT * FROM Item WHERE id = ?1");
  news = sql_prepared(raw, "SELECT * FROM Item WHERE updatedAt >= (SELECT max(updatedAt) FROM Item) ORDER BY updatedAt");
  page = sql_prepared(raw, "SELECT * FROM Item ORDER BY updatedAt");
  search = sql_prepared(raw, "SELECT * FROM Item WHERE text LIKE '%number 999999 %'");
}

static void insert_raw(long number) {
  char id[64], text[128];
  row_id(id, sizeof id, number), row_text(text, sizeof text, number);
  sqlite3_bind_text(insert, 1, id, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64(insert, 2, 1700000000000 + number);
  sqlite3_bind_text(insert, 3, text, -1, SQLITE_TRANSIENT);
  sql_check(raw, sqlite3_step(insert), "insert");
  sqlite3_reset(insert);
}

/// Steps to the end, and gives how long that took.
static double stepped(sqlite3_stmt *query) {
  double began = now_ms();
  while (sqlite3_step(query) == SQLITE_ROW)
    for (int column = 0; column < 7; column++) sqlite3_column_text(query, column);
  sqlite3_reset(query);
  return now_ms() - began;
}

static size_t read_one(char *request, size_t size, long number) {
  char id[64], path[128];
  row_id(id, sizeof id, number * 7919 % next_row);
  snprintf(path, sizeof path, "/tables/TodoItem/%s", id);
  return request_head(request, size, "GET", path, 0);
}

static size_t read_constant(char *request, size_t size, long number) {
  (void)number;
  return request_head(request, size, "GET", "/health/live", 0);
}

/// What a request for a list asks for.
static const char *list_path;

static size_t read_list(char *request, size_t size, long number) {
  (void)number;
  return request_head(request, size, "GET", list_path, 0);
}

/// The least that a write beside 199 others can take, in us: the way of a request through the server, and a row of those
/// that share a commit.
static void print_least(Server *server) {
  enum { COUNT = 20000 };
  double route = each(loaded(server, BUSY, COUNT, read_constant).wall, COUNT), began = now_ms();
  for (long i = 0; i < COUNT; i++) {
    if (i % BUSY == 0) sql_run(raw, "BEGIN IMMEDIATE");
    insert_raw(next_row + i + (1l << 25));
    if (i % BUSY == BUSY - 1) sql_run(raw, "COMMIT");
  }
  printf("  of that a route that answers a constant takes %.2f us, and SQLite %.2f for a row of 200 in a commit\n", route,
         each(now_ms() - began, COUNT));
}

/// Writes of one row each, which wait for the disk: alone each of them, together those that come meanwhile.
static void measure_writes(Server *server) {
  enum { COUNT = 4000 };
  double alone = 0, together = 0;
  double began = now_ms();
  for (long i = 0; i < COUNT; i++) insert_raw(next_row + i);
  double floor = each(now_ms() - began, COUNT);
  for (int i = 0; i < 3; i++) {
    char what[64];
    Load result = loaded(server, sizes[i], COUNT, write_one);
    next_row += COUNT;
    double took = together = each(result.wall, COUNT);
    if (i == 0) alone = took;
    snprintf(what, sizeof what, "write a row, %d connection%s", sizes[i], sizes[i] == 1 ? "" : "s");
    line(what, took, floor, "us", 0, 0);
    printf("  %.0f a second; an answer takes %.2f ms, the slowest of 100 %.2f\n", 1e6 / took,
           quantile(&result.times, 0.5), quantile(&result.times, 0.99));
  }
  line("  200 connections beside one", together, alone, "us", 0, 0.1);
  print_least(server);
}

static void measure_batches(Server *server) {
  static Sample ours, floor;
  for (long number = next_row; number + BATCH <= ROWS; next_row = number += BATCH) {
    Load result = loaded(server, 1, 1, write_batch);
    double began = now_ms();
    sql_run(raw, "BEGIN IMMEDIATE");
    for (long i = 0; i < BATCH; i++) insert_raw(number + i + (1l << 24));
    sql_run(raw, "COMMIT");
    note(&floor, each(now_ms() - began, BATCH)), note(&ours, each(result.wall, BATCH));
  }
  line("write a row, 1,000 in a batch", quantile(&ours, 0.5), quantile(&floor, 0.5), "us", 0, 1.5);
}

static void measure_reads(Server *server) {
  enum { COUNT = 20000 };
  for (int i = 0; i < 3; i++) {
    char what[64];
    Load constant = loaded(server, sizes[i], COUNT, read_constant), row = loaded(server, sizes[i], COUNT, read_one);
    snprintf(what, sizeof what, "read a row, %d connection%s", sizes[i], sizes[i] == 1 ? "" : "s");
    line(what, each(row.wall, COUNT), each(constant.wall, COUNT), "us", 0, 2);
  }
  char id[64];
  double began = now_ms();
  for (long i = 0; i < COUNT; i++) {
    row_id(id, sizeof id, i * 7919 % next_row);
    sqlite3_bind_text(point, 1, id, -1, SQLITE_TRANSIENT);
    stepped(point);
  }
  printf("  the floor is a route that answers a constant; SQLite reads a row in %.2f us\n", each(now_ms() - began, COUNT));
}

/// The path of a list of rows that are later than this moment, or as late.
static void later(char *path, size_t size, const char *than, const char *moment, int most) {
  snprintf(path, size, "/tables/TodoItem?$filter=updatedAt%%20%s%%20cast(%.24s,Edm.DateTimeOffset)"
    "&$orderby=updatedAt,id&$top=%d&__includedeleted=true", than, moment, most);
}

/// The moment of the last row of a page; NULL if it has none.
static const char *last_moment(const char *body) {
  const char *last = NULL;
  for (const char *next = body; (next = strstr(next, "\"updatedAt\":\"")); next += 13) last = next + 13;
  return last;
}

static void measure_pulls(Server *server) {
  enum { COUNT = 5000 };
  char path[256], *newest = fetch(server->port, "/tables/TodoItem?$orderby=updatedAt%20desc&$top=1");
  later(path, sizeof path, "ge", last_moment(newest), 1000);
  free(newest);
  list_path = path;
  Load constant = loaded(server, 1, COUNT, read_constant), pull = loaded(server, 1, COUNT, read_list);
  line("pull 1 change of 1,000,000", each(pull.wall, COUNT), each(constant.wall, COUNT), "us", 0, 2);
  printf("  SQLite reads it in %.0f us\n", stepped(news) * 1000);
  list_path = "/tables/TodoItem?$filter=substringof('number%20999999%20',text)";
  Load found = loaded(server, 1, REPEATS, read_list);
  line("search the texts of 1,000,000", found.wall / REPEATS, stepped(search), "ms", 0, 0);
}

/// Every page of the list, as a device that has nothing reads it.
static void measure_whole(Server *server) {
  enum { PAGE = 20000 };
  char path[256];
  const char *moment = "1970-01-01T00:00:00.000Z";
  long pages = 0;
  double bytes = 0, before = server_peak(server);
  forget_peak(server);
  double began = now_ms();
  for (char *body = NULL; moment; pages++) {
    later(path, sizeof path, "gt", moment, PAGE);
    free(body);
    body = fetch(server->port, path);
    moment = last_moment(body);
    bytes += strlen(body);
  }
  double took = now_ms() - began;
  line("pull all of 1,000,000", took, stepped(page), "ms", 0, 0);
  printf("  %ld pages, %.0f MB; the server's memory rises to %.0f MiB, from %.0f\n", pages, bytes / 1e6,
         server_peak(server), before);
}

static void measure_idle(Server *server) {
  enum { COUNT = 20000 };
  double before = server_peak(server);
  forget_peak(server);
  int *sockets = idle_connections(server->port, IDLE);
  Load busy = loaded(server, BUSY, COUNT, read_one);
  int open = close_connections(sockets, IDLE);
  printf("%d idle connections (%d still open) and %d busy ones: %.0f answers a second, %.0f MiB, before %.0f\n", IDLE,
         open, BUSY, COUNT / busy.wall * 1000, server_peak(server), before);
}

void measure_serve(char *ebb) {
  printf("\n`ebb serve` on this machine; the floor is SQLite doing the same in this process, unless it says otherwise.\n");
  open_raw();
  Server server = start_server(ebb, place("loaded.sqlite"));
  measure_writes(&server);
  measure_batches(&server);
  measure_reads(&server);
  measure_pulls(&server);
  measure_whole(&server);
  measure_idle(&server);
  stop_server(&server);
  sqlite3_close(raw);
}
