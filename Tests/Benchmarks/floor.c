// The least a to-do list can do, for comparison: ncursesw and SQLite (WAL), no journal, no sync, no settings.
//   floor FILE             opens the list: reads the visible rows only, redraws all of it on every key;
//                          `/` and letters filter it
//   floor FILE ls          prints the open items
//   floor FILE add TEXT    adds an item, durably (synchronous=FULL)
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <locale.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sqlite3 *database;

static void fail(const char *what) {
  fprintf(stderr, "floor: %s: %s\n", what, sqlite3_errmsg(database));
  exit(1);
}

static void run(const char *sql) {
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK) fail(sql);
  return statement;
}

static void open_database(const char *file) {
  if (sqlite3_open(file, &database) != SQLITE_OK) fail(file);
  sqlite3_busy_timeout(database, 5000);
  run("PRAGMA journal_mode = WAL");
  run("PRAGMA synchronous = FULL");
  run("CREATE TABLE IF NOT EXISTS TodoItem (id TEXT PRIMARY KEY, text TEXT, complete INTEGER, createdAt TEXT,"
      " updatedAt TEXT, version TEXT, deleted INTEGER)");
  run("CREATE INDEX IF NOT EXISTS TodoItemOrder ON TodoItem (complete, createdAt, id)");
}

#define OPEN_ITEMS "FROM TodoItem WHERE complete = 0"

static int list(void) {
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  sqlite3_stmt *rows = prepare("SELECT substr(id, 1, 8), text " OPEN_ITEMS " ORDER BY createdAt, id");
  while (sqlite3_step(rows) == SQLITE_ROW)
    printf("%s [ ] %s\n", sqlite3_column_text(rows, 0), sqlite3_column_text(rows, 1));
  return 0;
}

static int add(const char *text) {
  unsigned char bytes[16];
  FILE *chance = fopen("/dev/urandom", "r");
  if (!chance || fread(bytes, 1, sizeof bytes, chance) != sizeof bytes) return 1;
  fclose(chance);
  char id[33], now[32];
  for (int i = 0; i < 16; i++) sprintf(id + 2 * i, "%02x", bytes[i]);
  time_t seconds = time(NULL);
  strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%S.000Z", gmtime(&seconds));
  sqlite3_stmt *insert = prepare("INSERT INTO TodoItem VALUES (?, ?, 0, ?, NULL, NULL, 0)");
  sqlite3_bind_text(insert, 1, id, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 2, text, -1, SQLITE_STATIC);
  sqlite3_bind_text(insert, 3, now, -1, SQLITE_STATIC);
  if (sqlite3_step(insert) != SQLITE_DONE) fail("add");
  sqlite3_finalize(insert);
  printf("%.8s\n", id);
  return 0;
}

static void draw(sqlite3_stmt *rows, int top, int cursor) {
  erase();
  sqlite3_bind_int(rows, 1, LINES - 1);
  sqlite3_bind_int(rows, 2, top);
  for (int y = 0; sqlite3_step(rows) == SQLITE_ROW; y++) {
    if (top + y == cursor) attron(A_REVERSE);
    mvaddnstr(y, 0, "[ ] ", COLS);
    addnstr((const char *)sqlite3_column_text(rows, 0), COLS - 4);
    if (top + y == cursor) attroff(A_REVERSE);
  }
  sqlite3_reset(rows);
  mvprintw(LINES - 1, 0, "item %d", cursor + 1);
  refresh();
}

static long count_items(void) {
  sqlite3_stmt *count = prepare("SELECT count(*) " OPEN_ITEMS);
  sqlite3_step(count);
  long number = sqlite3_column_int64(count, 0);
  sqlite3_finalize(count);
  return number;
}

static int show(void) {
  setlocale(LC_ALL, "");
  initscr();
  raw();
  noecho();
  keypad(stdscr, TRUE);
  curs_set(0);
  sqlite3_stmt *rows = prepare("SELECT text " OPEN_ITEMS " ORDER BY createdAt, id LIMIT ? OFFSET ?");
  sqlite3_stmt *fitting =
    prepare("SELECT text " OPEN_ITEMS " AND instr(lower(text), ?3) ORDER BY createdAt, id LIMIT ?1 OFFSET ?2");
  char filter[64] = "";
  int top = 0, cursor = 0, key = 0, typed = 0;
  draw(rows, top, cursor);
  long count = count_items();
  while ((key = getch()) != 'q' && key != ERR) {
    if (key == '/') rows = fitting;
    if (rows == fitting) {
      if (key != '/' && typed + 1 < (int)sizeof filter) filter[typed++] = (char)key;
      sqlite3_bind_text(rows, 3, filter, -1, SQLITE_STATIC);
    } else if (key == 'j' && cursor + 1 < count) cursor++;
    else if (key == 'k' && cursor > 0) cursor--;
    if (cursor < top) top = cursor;
    if (cursor > top + LINES - 2) top = cursor - LINES + 2;
    draw(rows, top, cursor);
  }
  endwin();
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fputs("floor FILE [ls | add TEXT]\n", stderr);
    return 64;
  }
  open_database(argv[1]);
  int status = argc == 2 ? show() : !strcmp(argv[2], "ls") ? list() : argc == 4 ? add(argv[3]) : 64;
  sqlite3_close(database);
  return status;
}
