#define _POSIX_C_SOURCE 200809L

#include "CLibpq.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <time.h>

/* One line a function: its result, its name in libpq, and what it takes. */
#define FUNCTIONS(F)                                                                                            \
  F(pq_connection *, PQconnectdbParams, (const char *const *, const char *const *, int))                         \
  F(void, PQfinish, (pq_connection *))                                                                           \
  F(pq_connection *, PQconnectStartParams, (const char *const *, const char *const *, int))                      \
  F(int, PQconnectPoll, (pq_connection *))                                                                       \
  F(int, PQresetStart, (pq_connection *))                                                                        \
  F(int, PQresetPoll, (pq_connection *))                                                                         \
  F(int, PQsetErrorVerbosity, (pq_connection *, int))                                                            \
  F(int, PQconnectionNeedsPassword, (const pq_connection *))                                                     \
  F(int, PQstatus, (const pq_connection *))                                                                      \
  F(char *, PQerrorMessage, (const pq_connection *))                                                             \
  F(int, PQsocket, (const pq_connection *))                                                                      \
  F(int, PQserverVersion, (const pq_connection *))                                                               \
  F(int, PQtransactionStatus, (const pq_connection *))                                                           \
  F(int, PQsetnonblocking, (pq_connection *, int))                                                               \
  F(int, PQenterPipelineMode, (pq_connection *))                                                                 \
  F(int, PQpipelineSync, (pq_connection *))                                                                      \
  F(int, PQsendQueryParams,                                                                                      \
    (pq_connection *, const char *, int, const pq_oid *, const char *const *, const int *, const int *, int))    \
  F(int, PQflush, (pq_connection *))                                                                             \
  F(int, PQconsumeInput, (pq_connection *))                                                                      \
  F(int, PQisBusy, (pq_connection *))                                                                            \
  F(pq_result *, PQgetResult, (pq_connection *))                                                                 \
  F(pq_notice *, PQnotifies, (pq_connection *))                                                                  \
  F(void, PQfreemem, (void *))                                                                                   \
  F(int, PQresultStatus, (const pq_result *))                                                                    \
  F(char *, PQresultErrorField, (const pq_result *, int))                                                        \
  F(int, PQntuples, (const pq_result *))                                                                         \
  F(int, PQgetisnull, (const pq_result *, int, int))                                                             \
  F(char *, PQgetvalue, (const pq_result *, int, int))                                                           \
  F(int, PQgetlength, (const pq_result *, int, int))                                                             \
  F(void, PQclear, (pq_result *))                                                                                \
  F(pq_cancel *, PQgetCancel, (pq_connection *))                                                                 \
  F(int, PQcancel, (pq_cancel *, char *, int))                                                                   \
  F(void, PQfreeCancel, (pq_cancel *))                                                                           \
  F(void *, PQsetNoticeProcessor, (pq_connection *, void (*)(void *, const char *), void *))

static struct {
#define FIELD(result, name, takes) result(*name) takes;
  FUNCTIONS(FIELD)
} api;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *problem;

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    problem = dlerror();
    if (!problem) problem = "libpq.so.5 can't be loaded";
    return;
  }
  void *found;
#define FIND(result, name, takes)                              \
  if (!(found = dlsym(library, #name))) {                      \
    problem = "libpq is older than version 14: " #name;        \
    return;                                                    \
  }                                                            \
  *(void **)&api.name = found;
  FUNCTIONS(FIND)
}

const char *pq_load(void) {
  pthread_once(&once, load);
  return problem;
}

/* What the server remarks goes nowhere: libpq would write it to standard error. */
static void pass_over(void *context, const char *text) {
  (void)context;
  (void)text;
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

enum { FINISHED, SILENT, ENDLESS };

/* Completes a connection that was begun. libpq limits only silence, so a server that sends for ever would hold it for ever.
   This reads with a limit of bytes and time. After 2 s of silence it gives up and lets libpq connect, which can then try
   the next address. The greeting of a PostgreSQL has some hundred bytes, with TLS some thousand. */
static int finish_connecting(pq_connection *connection, int (*next)(pq_connection *)) {
  enum { WITHOUT_ANSWER = 2000, FOR_AN_ADDRESS = 10000, MOST_BYTES = 1 << 20 };
  enum { FAILED = 0, READING = 1, WRITING = 2, OK = 3 };
  int state = WRITING, socket = -1, bytes = 0;
  long long end = 0, sum = 0;
  for (;;) {
    if (api.PQsocket(connection) != socket) {
      socket = api.PQsocket(connection);
      end = milliseconds() + FOR_AN_ADDRESS;
    }
    if (milliseconds() >= end) return ENDLESS;
    struct pollfd wanted = {socket, state == READING ? POLLIN : POLLOUT, 0};
    int ready = poll(&wanted, 1, WITHOUT_ANSWER);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return SILENT;
    if (ioctl(socket, FIONREAD, &bytes) == 0) sum += bytes;
    if (sum > MOST_BYTES) return ENDLESS;
    state = next(connection);
    if (state == OK || state == FAILED) return FINISHED;
  }
}

static pq_connection *connect_within_limits(const char *const *names, const char *const *values) {
  pq_connection *connection = api.PQconnectStartParams(names, values, 1);
  /* 1 is CONNECTION_BAD. */
  if (!connection || api.PQstatus(connection) == 1) return connection;
  int outcome = finish_connecting(connection, api.PQconnectPoll);
  if (outcome == FINISHED) return connection;
  api.PQfinish(connection);
  return outcome == SILENT ? api.PQconnectdbParams(names, values, 1) : NULL;
}

pq_connection *pq_connect(const char *const *names, const char *const *values) {
  pq_connection *connection = connect_within_limits(names, values);
  if (connection) api.PQsetNoticeProcessor(connection, pass_over, NULL);
  return connection;
}

/* The number is libpq's PQERRORS_SQLSTATE. */
void pq_connect_again(pq_connection *connection) {
  api.PQsetErrorVerbosity(connection, 3);
  if (api.PQresetStart(connection)) finish_connecting(connection, api.PQresetPoll);
}

int pq_lacks_password(const pq_connection *connection) { return api.PQconnectionNeedsPassword(connection); }

void pq_finish(pq_connection *connection) { api.PQfinish(connection); }
int pq_is_good(const pq_connection *connection) { return api.PQstatus(connection) == 0; }
const char *pq_error(const pq_connection *connection) { return api.PQerrorMessage(connection); }
int pq_socket(const pq_connection *connection) { return api.PQsocket(connection); }
int pq_server_version(const pq_connection *connection) { return api.PQserverVersion(connection); }

int pq_is_outside(const pq_connection *connection) { return api.PQtransactionStatus(connection) == 0; }

int pq_begin_pipeline(pq_connection *connection) {
  return api.PQsetnonblocking(connection, 1) == 0 && api.PQenterPipelineMode(connection) == 1;
}

int pq_send(
  pq_connection *connection, const char *sql, int count, const char *const *values, const int *lengths,
  const int *formats) {
  return api.PQsendQueryParams(connection, sql, count, NULL, values, lengths, formats, 0);
}

int pq_sync(pq_connection *connection) { return api.PQpipelineSync(connection); }
int pq_flush(pq_connection *connection) { return api.PQflush(connection); }
int pq_consume(pq_connection *connection) { return api.PQconsumeInput(connection); }
int pq_is_busy(pq_connection *connection) { return api.PQisBusy(connection); }
pq_result *pq_next(pq_connection *connection) { return api.PQgetResult(connection); }
pq_notice *pq_next_notice(pq_connection *connection) { return api.PQnotifies(connection); }
void pq_free(void *memory) { api.PQfreemem(memory); }

int pq_status(const pq_result *result) { return api.PQresultStatus(result); }
const char *pq_state(const pq_result *result) { return api.PQresultErrorField(result, 'C'); }
const char *pq_constraint(const pq_result *result) { return api.PQresultErrorField(result, 'n'); }
int pq_rows(const pq_result *result) { return api.PQntuples(result); }
int pq_is_null(const pq_result *result, int row, int column) { return api.PQgetisnull(result, row, column); }
const char *pq_value(const pq_result *result, int row, int column) { return api.PQgetvalue(result, row, column); }
int pq_length(const pq_result *result, int row, int column) { return api.PQgetlength(result, row, column); }
void pq_clear(pq_result *result) { api.PQclear(result); }

pq_cancel *pq_make_cancel(pq_connection *connection) { return api.PQgetCancel(connection); }

void pq_send_cancel(pq_cancel *cancel) {
  char reason[256];
  api.PQcancel(cancel, reason, sizeof reason);
}

void pq_free_cancel(pq_cancel *cancel) { api.PQfreeCancel(cancel); }
