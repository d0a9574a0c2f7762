// Fills stores by SQL, so that 100,000 items take a second.
#include "bench.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sqlite3 *database;

/// What stands for a column in the copy of the model row: `?1` is the number of the item, and `?3` that of the fill.
static const char *expression(const char *column) {
  if (!strcmp(column, "id")) return "lower(printf('%s-%s-4%s-a%s-%s', hex(randomblob(4)), hex(randomblob(2)),"
    " substr(hex(randomblob(2)), 2), substr(hex(randomblob(2)), 2), hex(randomblob(6))))";
  if (!strcmp(column, "text")) return "printf('Bench %06d: call the plumber +home @phone', ?1 + ?3)";
  if (!strcmp(column, "createdAt"))
    return "strftime('%Y-%m-%dT%H:%M:%S.000Z', 1700000000 + ?1, 'unixepoch')";
  return NULL;
}

static void append(char *list, size_t size, const char *item) {
  if (*list) strncat(list, ", ", size - strlen(list) - 1);
  strncat(list, item, size - strlen(list) - 1);
}

/// A statement that copies the model row as item ?1.
static sqlite3_stmt *copy_statement(void) {
  char columns[1024] = "", values[2048] = "", sql[4096], quoted[128];
  sqlite3_stmt *info = sql_prepared(database, "PRAGMA table_info(TodoItem)");
  while (sqlite3_step(info) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(info, 1);
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    append(columns, sizeof columns, quoted);
    append(values, sizeof values, expression(name) ? expression(name) : quoted);
  }
  sqlite3_finalize(info);
  snprintf(sql, sizeof sql, "INSERT INTO TodoItem (%s) SELECT %s FROM TodoItem WHERE rowid = ?2", columns, values);
  return sql_prepared(database, sql);
}

static sqlite3_int64 model_row(void) {
  sqlite3_stmt *query = sql_prepared(database, "SELECT max(rowid) FROM TodoItem");
  sql_check(database, sqlite3_step(query), "the model row");
  sqlite3_int64 row = sqlite3_column_int64(query, 0);
  sqlite3_finalize(query);
  return row;
}

/// The texts of no two fills are equal: curses moves lines that are, and what is looked for on the terminal is not drawn
/// then. The times of all fills are, so that the rows of each come on the first screen.
static void add_copies(const char *file, int count) {
  static int filled = 0;
  database = sql_opened(file);
  sql_run(database, "BEGIN IMMEDIATE");
  sqlite3_stmt *copy = copy_statement();
  sqlite3_bind_int64(copy, 2, model_row());
  sqlite3_bind_int(copy, 3, filled);
  filled += count;
  for (int number = 1; number < count; number++) {
    sqlite3_bind_int(copy, 1, number);
    sql_check(database, sqlite3_step(copy), "insert");
    sqlite3_reset(copy);
  }
  sqlite3_finalize(copy);
}

void fill_store(const char *file, int count) {
  add_copies(file, count);
  sql_run(database, "COMMIT");
  sql_run(database, "ANALYZE");
  sqlite3_close(database);
}

void fill_offline(const char *file, int count) {
  add_copies(file, count);
  sql_run(database, "INSERT INTO MS_TableOperations (\"table\", tableKind, itemId, properties)"
      " SELECT model.\"table\", model.tableKind, item.id, model.properties"
      " FROM MS_TableOperations AS model, TodoItem AS item"
      " WHERE item.rowid > (SELECT rowid FROM TodoItem WHERE id = model.itemId) ORDER BY item.rowid");
  sql_run(database, "INSERT INTO Ebb_History (\"table\", itemId, properties)"
      " SELECT 'TodoItem', id, CAST(json_object('after', json_object('complete', json('false'),"
      " 'createdAt', createdAt, 'deleted', json('false'), 'id', id, 'text', text)) AS BLOB)"
      " FROM TodoItem ORDER BY rowid DESC LIMIT 999");
  sql_run(database, "COMMIT");
  sqlite3_close(database);
}
