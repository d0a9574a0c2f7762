#include <sqlite3.h>
#include <string.h>

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

/* From string.h, which hides it unless asked for GNU's additions. It takes time in proportion to the sum of both lengths. */
void *memmem(const void *, size_t, const void *, size_t);

/* Where the second text begins in the first, in characters from 1; 0 if it does not, null if one of them is null. */
static inline void sqlite_position(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  const char *text = (const char *)sqlite3_value_text(values[0]), *part = (const char *)sqlite3_value_text(values[1]);
  if (!text || !part) return;
  const char *found = memmem(text, sqlite3_value_bytes(values[0]), part, sqlite3_value_bytes(values[1]));
  sqlite3_int64 place = found ? 1 : 0;
  for (const char *byte = text; found && byte < found; byte++) place += (*byte & 0xC0) != 0x80;
  sqlite3_result_int64(context, place);
}

/* The first text with the third one wherever it has the second; null if one of them is null. */
static inline void sqlite_replaced(sqlite3_context *context, int count, sqlite3_value **values) {
  (void)count;
  const char *text = (const char *)sqlite3_value_text(values[0]), *part = (const char *)sqlite3_value_text(values[1]);
  if (!text || !part) return;
  size_t length = sqlite3_value_bytes(values[0]), width = sqlite3_value_bytes(values[1]), places = 0;
  if (!width) return sqlite3_result_value(context, values[0]);
  const char *other = (const char *)sqlite3_value_text(values[2]);
  if (!other) return;
  size_t otherWidth = sqlite3_value_bytes(values[2]);
  const char *end = text + length, *found;
  for (const char *from = text; (found = memmem(from, end - from, part, width)); from = found + width) places++;
  if (!places) return sqlite3_result_value(context, values[0]);
  /* No value is longer than 2^31, so that the product is below 2^62. */
  size_t size = length - places * width + places * otherWidth;
  if (size > (size_t)sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1))
    return sqlite3_result_error_toobig(context);
  char *whole = sqlite3_malloc64(size + 1), *place = whole;
  if (!whole) return sqlite3_result_error_nomem(context);
  for (const char *from = text;; from = found + width) {
    found = memmem(from, end - from, part, width);
    size_t same = (found ? found : end) - from;
    memcpy(place, from, same), place += same;
    if (!found) break;
    memcpy(place, other, otherWidth), place += otherWidth;
  }
  sqlite3_result_text64(context, whole, size, sqlite3_free, SQLITE_UTF8);
}

/*
 * Registers `ebb_position` and `ebb_replace`, which are `instr` and `replace` for conditions that somebody else has made:
 * SQLite's own look for a text at each place by itself, so that one call on long values takes minutes, and can't be ended.
 */
static inline int sqlite_add_searches(sqlite3 *database) {
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  int code = sqlite3_create_function_v2(database, "ebb_position", 2, flags, 0, sqlite_position, 0, 0, 0);
  if (code != SQLITE_OK) return code;
  return sqlite3_create_function_v2(database, "ebb_replace", 3, flags, 0, sqlite_replaced, 0, 0, 0);
}
