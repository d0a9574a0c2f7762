// SQLite, of which each error ends the measuring.
#include "bench.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

void sql_check(sqlite3 *database, int code, const char *what) {
  if (code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW) return;
  fprintf(stderr, "bench: %s: %s\n", what, sqlite3_errmsg(database));
  exit(1);
}

sqlite3 *sql_opened(const char *file) {
  sqlite3 *database = NULL;
  int code = sqlite3_open(file, &database);
  sql_check(database, code, file);
  sqlite3_busy_timeout(database, 5000);
  return database;
}

sqlite3_stmt *sql_prepared(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement;
  sql_check(database, sqlite3_prepare_v2(database, sql, -1, &statement, NULL), sql);
  return statement;
}

void sql_run(sqlite3 *database, const char *sql) {
  sql_check(database, sqlite3_exec(database, sql, NULL, NULL, NULL), sql);
}
