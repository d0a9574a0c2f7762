// One key that changes 60,000 items with dates, and the one that takes it back, beside SQLite writing the same rows.
#define _GNU_SOURCE
#include "bench.h"

#include <sqlite3.h>

enum { ITEMS = 60000, REPEATS = 3 };
/// Milliseconds without a byte after which all is drawn. The last of the change, making it durable, draws nothing.
static const double QUIET = 1000;

static char *ebb;

/// A device's store whose items are synced and have dates. The list makes the index by date when it is opened.
static char *dated_store(int number) {
  char *store = place("bulk-%d.sqlite", number);
  run_command((char *[]){ebb, "add", "Bench model", "--store", store, NULL}, place("output"));
  fill_store(store, ITEMS);
  sqlite3 *database = sql_opened(store);
  sql_run(database, "DELETE FROM MS_TableOperations; DELETE FROM Ebb_History; DELETE FROM Ebb_Versions;"
    "UPDATE TodoItem SET version = 'A', updatedAt = createdAt, text ="
    " text || printf(' due:2026-%02d-%02d', 1 + rowid % 12, 1 + rowid % 28)");
  sqlite3_close(database);
  run_command((char *[]){ebb, "agenda", "--store", store, NULL}, place("output"));
  return store;
}

/// The rows that completing all items writes, by SQLite alone: journal, step to undo, version before, and the items.
static double write_alone(const char *store) {
  static const char *const row = "json_object('id', id, 'complete', json('false'), 'text', text, 'createdAt', createdAt,"
    " 'updatedAt', updatedAt, 'version', version, 'deleted', json('false'))";
  char sql[4096];
  sqlite3 *database = sql_opened(store);
  sqlite3_snprintf(sizeof sql, sql, "BEGIN IMMEDIATE;"
    "INSERT INTO MS_TableOperations (\"table\", itemId, properties)"
    " SELECT 'TodoItem', id, CAST(json_object('type', 1, 'base', %s) AS BLOB) FROM TodoItem ORDER BY createdAt, id;"
    "INSERT INTO Ebb_History (\"table\", itemId, properties, step)"
    " SELECT 'TodoItem', id, CAST(json_object('before', %s, 'after', %s) AS BLOB), 1 FROM TodoItem ORDER BY createdAt, id;"
    "INSERT INTO Ebb_Versions (\"table\", itemId, number, record, changedAt, origin)"
    " SELECT 'TodoItem', id, 1, CAST(%s AS BLOB), createdAt, 'here' FROM TodoItem ORDER BY createdAt, id;"
    "UPDATE TodoItem SET complete = 1; COMMIT", row, row, row, row);
  sql_run(database, "PRAGMA synchronous = FULL; PRAGMA cache_size = -65536");
  double began = now_ms();
  sql_run(database, sql);
  double took = now_ms() - began;
  sqlite3_close(database);
  return took;
}

/// From the key until the last of the answer is drawn; `first` gets when the first of it was.
static double press_for_all(Session *session, const char *key, Sample *first) {
  double answered = 0, since = now_ms();
  press(session, key, 1);
  double took = drawn(session, since, QUIET, &answered, NULL);
  note(first, answered);
  return took;
}

void measure_bulk(char *program) {
  static Sample done, undone, first, alone;
  ebb = program;
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    Session session;
    char *store = dated_store(repeat), *copy = place("bulk-alone-%d.sqlite", repeat);
    copy_store(store, copy);
    note(&alone, write_alone(copy));
    open_session(&session, (char *[]){ebb, "--store", store, NULL}, "Bench");
    drawn(&session, 0, QUIET, NULL, NULL);
    press(&session, "*", 1);
    drawn(&session, 0, QUIET, NULL, NULL);
    note(&done, press_for_all(&session, "x", &first));
    note(&undone, press_for_all(&session, "u", &first));
    close_session(&session);
  }
  line("60,000 items completed", quantile(&done, 0.5), quantile(&alone, 0.5), "ms", 2000, 0);
  line("  and that taken back", quantile(&undone, 0.5), quantile(&alone, 0.5), "ms", 2000, 0);
  // It is shown when a change takes longer than 150 ms.
  line("  progress from", quantile(&first, 0.5), 0, "ms", 200, 0);
}
