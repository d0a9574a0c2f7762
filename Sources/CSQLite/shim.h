#include <sqlite3.h>

/* Functions with varargs, which Swift cannot import by itself. */

/* Before the first database is opened: SQLite need not count the memory it uses, which takes a lock at each piece of it. */
static inline void sqlite_count_no_memory(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* Keeps the log when the last connection closes, instead of copying it into the database. */
static inline void sqlite_keep_log_on_close(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/*
 * Reads the first bytes of a file by SQLite's own means. A descriptor of our own must never be closed on a database: with
 * that the system ends all locks that this process holds on the file, and another program takes itself for the only one
 * (How To Corrupt An SQLite Database File, 2.2). Nothing is written, and no lock is taken.
 *
 * Returns how many bytes there were, at most `count`; -1 if the file can't be read.
 */
static inline int sqlite_read_start(const char *path, unsigned char *bytes, int count) {
  sqlite3 *database = 0;
  sqlite3_file *file = 0;
  sqlite3_int64 size = 0;
  int got = -1;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, 0) == SQLITE_OK &&
      sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK && file && file->pMethods &&
      file->pMethods->xFileSize(file, &size) == SQLITE_OK) {
    got = size < count ? (int)size : count;
    if (got > 0 && file->pMethods->xRead(file, bytes, got, 0) != SQLITE_OK) got = -1;
  }
  sqlite3_close(database);
  return got;
}
