// `ebb serve` on PostgreSQL, each figure beside pgbench doing the same statements on the same PostgreSQL.
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT = 2000, SECONDS = 4, LISTS = 100, PROCESSES = 3, CLIENTS = 48 };

static char *folder;
/// Ends PostgreSQL when it is closed.
static FILE *commands;

/// Starts a PostgreSQL that waits for the disk, as a real one does.
static void start(void) {
  folder = place("postgres");
  // As root the database has another user, who must come to its folder.
  chmod(place("."), 0711);
  char command[8192];
  snprintf(command, sizeof command, "sh Resources/run/postgres.sh '%s' >'%s' 2>&1", folder, place("postgres.log"));
  commands = popen(command, "w");
  if (!commands) die("postgres.sh");
  fputs("create floor\n", commands), fflush(commands);
  for (int tries = 0; tries < 600; tries++) {
    snprintf(command, sizeof command, "grep -q created '%s'", place("postgres.log"));
    if (system(command) == 0) return;
    usleep(100000);
  }
  snprintf(command, sizeof command, "cat '%s' >&2", place("postgres.log"));
  if (system(command) == 0) fputs("bench: PostgreSQL did not start\n", stderr);
  exit(1);
}

/// Runs the script with so many clients, and gives how long one transaction took of the whole, in us.
static double floor_of(const char *script, int clients) {
  char command[8192], *file = place("floor.sql"), *output = place("floor.txt"), said[256];
  FILE *written = fopen(file, "w");
  if (!written || fputs(script, written) < 0 || fclose(written)) die(file);
  snprintf(command, sizeof command, "pgbench -n -h '%s' -U postgres -c %d -j 2 -T %d -f '%s' floor 2>/dev/null "
    "| sed -n 's/^tps = \\([0-9.]*\\).*/\\1/p' >'%s'", folder, clients, SECONDS, file, output);
  FILE *read = system(command) == 0 ? fopen(output, "r") : NULL;
  double rate = read && fgets(said, sizeof said, read) ? atof(said) : 0;
  if (read) fclose(read);
  if (rate == 0) fputs("bench: pgbench did not run: install postgresql-contrib\n", stderr), exit(1);
  return 1e6 / rate;
}

static void make_floor(void) {
  char command[8192];
  snprintf(command, sizeof command, "psql -q -h '%s' -U postgres floor -c 'CREATE TABLE list (id int PRIMARY KEY, last bigint);"
    " INSERT INTO list SELECT n, 0 FROM generate_series(1, %d) n; CREATE TABLE item (list int, id text COLLATE \"C\", created bigint, updated bigint,"
    " version text, deleted boolean, text text, complete boolean, PRIMARY KEY (list, id));"
    " CREATE UNIQUE INDEX pull ON item (list, updated)'", folder, LISTS);
  if (system(command) != 0) die("psql");
}

#define ONE_OF(lists) \
  "\\set list random(1, " lists ")\nBEGIN;\nSELECT last FROM list WHERE id = :list FOR UPDATE \\gset\n\\set next :last + 1\n" \
  "SELECT * FROM item WHERE list = :list AND id = md5((:next)::text);\n" \
  "INSERT INTO item VALUES (:list, md5((:next)::text), :next, :next, 'AAABogV59nY=', false, 'Bench number', false);\n" \
  "UPDATE list SET last = :next WHERE id = :list;\nCOMMIT;\n"
static const char *one = ONE_OF("1"), *one_of_hundred = ONE_OF("100");

static const char *thousand = "BEGIN;\nSELECT last FROM list WHERE id = 1 FOR UPDATE \\gset\n"
  "SELECT * FROM item WHERE list = 1 AND id = ANY (SELECT md5(n::text) FROM generate_series(:last + 1, :last + 1000) n);\n"
  "INSERT INTO item SELECT 1, md5(n::text), n, n, 'AAABogV59nY=', false, 'Bench number', false"
  " FROM generate_series(:last + 1, :last + 1000) n;\nUPDATE list SET last = :last + 1000 WHERE id = 1;\nCOMMIT;\n";

/// A header for each of the lists, which has a user of its own.
static char *tokens[LISTS];

static void make_users(char *ebb, const char *url) {
  char command[16384], said[256];
  for (int i = 0; i < LISTS; i++) {
    snprintf(command, sizeof command, "'%s' token add --user user%d --database '%s' 2>/dev/null", ebb, i, url);
    FILE *output = popen(command, "r");
    if (!output || !fgets(said, sizeof said, output) || pclose(output) != 0) die("ebb token add");
    said[strcspn(said, "\n")] = 0;
    if (asprintf(&tokens[i], "Authorization: Bearer %s\r\n", said) < 0) die("asprintf");
  }
}

static size_t write_to_each(char *request, size_t size, long number) {
  own_header = tokens[number % LISTS];
  return write_one(request, size, number);
}

static void measure_one_list(const Server *server) {
  int sizes[] = {1, 16, 200};
  for (int i = 0; i < 3; i++) {
    char what[64];
    double took = each(loaded(server, sizes[i], COUNT, write_one).wall, COUNT);
    next_row += COUNT;
    snprintf(what, sizeof what, "write a row, %d connection%s", sizes[i], sizes[i] == 1 ? "" : "s");
    // One list: more clients of pgbench than the server has connections would wait for one another all the same.
    line(what, took, floor_of(one, sizes[i] > 8 ? 8 : sizes[i]), "us", 0, 0);
  }
  double took = each(loaded(server, 1, 30, write_batch).wall, 30 * BATCH);
  line("write a row, 1,000 in a batch", took, floor_of(thousand, 1) / BATCH, "us", 0, 0);
  next_row += 30 * BATCH;
}

/// Writers of different lists do not wait for one another, whichever process they came to.
static void measure_lists(const Server *servers, int processes) {
  char what[64];
  double took = each(load(servers, processes, CLIENTS, 2 * COUNT, write_to_each).wall, 2 * COUNT);
  next_row += 2 * COUNT;
  snprintf(what, sizeof what, "write a row, %d lists, %d process%s", LISTS, processes, processes == 1 ? "" : "es");
  line(what, took, floor_of(one_of_hundred, 8 * processes), "us", 0, 0);
}

void measure_postgres(char *ebb) {
  printf("\n`ebb serve` on PostgreSQL on this machine; the floor is pgbench with the same statements and no server.\n");
  start();
  make_floor();
  char url[8192];
  snprintf(url, sizeof url, "postgresql://postgres@/postgres?host=%s", folder);
  Server servers[PROCESSES] = {start_server(ebb, url)};
  measure_one_list(servers);
  make_users(ebb, url);
  for (int i = 1; i < PROCESSES; i++) servers[i] = start_server(ebb, url);
  measure_lists(servers, 1);
  measure_lists(servers, PROCESSES);
  for (int i = 0; i < PROCESSES; i++) stop_server(servers + i);
  pclose(commands);
}
