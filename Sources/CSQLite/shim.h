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
