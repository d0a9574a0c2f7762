#include <sqlite3.h>

/* Functions with varargs, which Swift cannot import by itself. */

/* Keeps the log when the last connection closes, instead of copying it into the database. */
static inline void sqlite_keep_log_on_close(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
