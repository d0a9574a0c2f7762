#include <sqlite3.h>

/* What Swift cannot import by itself: functions with varargs. */

/* The last connection that closes leaves the log as it is, instead of copying it into the database. */
static inline void sqlite_keep_log_on_close(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
