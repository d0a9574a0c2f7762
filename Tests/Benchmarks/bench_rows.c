// The rows of a synced store, to be sent as one JSON text and written by SQLite alone.
#include "bench.h"

#include <malloc.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7 };

struct Rows {
  int count;
  sqlite3_value **values;
};

char *one_text(const char *file, const char *sql) {
  sqlite3 *database = sql_opened(file);
  sqlite3_stmt *query = sql_prepared(database, sql);
  sql_check(database, sqlite3_step(query), sql);
  char *text = strdup((const char *)sqlite3_column_text(query, 0));
  sqlite3_finalize(query);
  sqlite3_close(database);
  return text;
}

char *rows_json(const char *file) {
  return one_text(file, "SELECT json_group_array(json_object('id', id, 'text', text, 'complete', json(iif(complete,"
    " 'true', 'false')), 'createdAt', createdAt, 'updatedAt', updatedAt, 'version', version, 'deleted',"
    " json('false'))) FROM TodoItem");
}

Rows *read_rows(const char *file, int most) {
  sqlite3 *database = sql_opened(file);
  sqlite3_stmt *query = sql_prepared(
    database, "SELECT id, text, complete, createdAt, updatedAt, version, deleted FROM TodoItem ORDER BY updatedAt");
  Rows *rows = malloc(sizeof *rows);
  rows->count = 0;
  rows->values = malloc(sizeof *rows->values * COLUMNS * most);
  for (; rows->count < most && sqlite3_step(query) == SQLITE_ROW; rows->count++)
    for (int column = 0; column < COLUMNS; column++)
      rows->values[COLUMNS * rows->count + column] = sqlite3_value_dup(sqlite3_column_value(query, column));
  sqlite3_finalize(query);
  sqlite3_close(database);
  return rows;
}

void free_rows(Rows *rows) {
  for (int i = 0; i < COLUMNS * rows->count; i++) sqlite3_value_free(rows->values[i]);
  free(rows->values);
  free(rows);
  // The peak memory of a command begins with what this program has when it forks.
  malloc_trim(0);
}

double write_rows(const char *file, const Rows *rows) {
  sqlite3 *database = sql_opened(file);
  sql_run(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
    "CREATE TABLE TodoItem (id TEXT PRIMARY KEY, text TEXT, complete INTEGER, createdAt TEXT, updatedAt TEXT,"
    " version TEXT, deleted INTEGER); CREATE INDEX TodoItemOrder ON TodoItem (complete, createdAt, id);");
  double began = now_ms();
  sql_run(database, "BEGIN IMMEDIATE");
  sqlite3_stmt *insert = sql_prepared(database, "INSERT INTO TodoItem VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (int row = 0; row < rows->count; row++) {
    for (int column = 0; column < COLUMNS; column++)
      sqlite3_bind_value(insert, column + 1, rows->values[COLUMNS * row + column]);
    sql_check(database, sqlite3_step(insert), "insert");
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sql_run(database, "COMMIT");
  double took = now_ms() - began;
  sqlite3_close(database);
  return took;
}

void copy_store(const char *from, const char *to) {
  char sql[8192];
  sqlite3 *database = sql_opened(from);
  snprintf(sql, sizeof sql, "VACUUM INTO '%s'", to);
  sql_run(database, sql);
  sqlite3_close(database);
}
