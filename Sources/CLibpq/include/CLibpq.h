#ifndef CLIBPQ_H
#define CLIBPQ_H

/* The functions of libpq that the server uses. The library is loaded when a PostgreSQL database is first asked for, so that
   the program neither needs it to be built nor to start. What is declared here is what libpq 14 and later promise. */

typedef struct pg_conn pq_connection;
typedef struct pg_result pq_result;
typedef struct pg_cancel pq_cancel;
typedef unsigned int pq_oid;

/* A message that another session sent. */
typedef struct pq_notice {
  char *channel;
  int process;
  char *text;
  struct pq_notice *next;
} pq_notice;

/* What a result is. The names and the numbers are libpq's. */
enum {
  PQ_EMPTY_QUERY = 0,
  PQ_COMMAND_OK = 1,
  PQ_TUPLES_OK = 2,
  PQ_FATAL_ERROR = 7,
  PQ_PIPELINE_SYNC = 10,
  PQ_PIPELINE_ABORTED = 11
};

/* Loads the library. Null when it is there, else why it is not. May be called by several threads. */
const char *pq_load(void);

/* The rest may be called only after that. */
/* Null if there is no memory, or if what answers goes on without end. */
pq_connection *pq_connect(const char *const *names, const char *const *values);
/* After a failure: tries once more, so that pq_error has the SQLSTATE of the server instead of its words. */
void pq_connect_again(pq_connection *connection);
/* 1 if the server asked for a password, and there was none. */
int pq_lacks_password(const pq_connection *connection);
void pq_finish(pq_connection *connection);
int pq_is_good(const pq_connection *connection);
const char *pq_error(const pq_connection *connection);
int pq_socket(const pq_connection *connection);
int pq_server_version(const pq_connection *connection);
/* 1 if the session is in no transaction, as of the last answer. */
int pq_is_outside(const pq_connection *connection);

/* Lets no call wait, and lets several statements be under way. 1 if that was done. */
int pq_begin_pipeline(pq_connection *connection);
/* 1 if it was sent, or is waiting to be. */
int pq_send(
  pq_connection *connection, const char *sql, int count, const char *const *values, const int *lengths,
  const int *formats);
int pq_sync(pq_connection *connection);
/* 0 if all is sent, 1 if something waits, -1 if the connection is gone. */
int pq_flush(pq_connection *connection);
int pq_consume(pq_connection *connection);
int pq_is_busy(pq_connection *connection);
pq_result *pq_next(pq_connection *connection);
/* To be given back with pq_free. */
pq_notice *pq_next_notice(pq_connection *connection);
void pq_free(void *memory);

int pq_status(const pq_result *result);
/* The five letters of SQLSTATE, or null. */
const char *pq_state(const pq_result *result);
/* The name of the constraint that was violated, or null. */
const char *pq_constraint(const pq_result *result);
int pq_rows(const pq_result *result);
int pq_is_null(const pq_result *result, int row, int column);
const char *pq_value(const pq_result *result, int row, int column);
int pq_length(const pq_result *result, int row, int column);
void pq_clear(pq_result *result);

/* By which another thread stops what a connection does. */
pq_cancel *pq_make_cancel(pq_connection *connection);
void pq_send_cancel(pq_cancel *cancel);
void pq_free_cancel(pq_cancel *cancel);

#endif
