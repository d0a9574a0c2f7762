// Shared by the parts of the measuring program. All times are milliseconds.
#include <stddef.h>

enum { MOST = 4096 };

/// Figures of one kind, in the order they were taken.
typedef struct {
  double values[MOST];
  int count;
} Sample;

void note(Sample *sample, double value);
/// The value below which this share of the sample lies: 0.5 for the median.
double quantile(Sample *sample, double share);

void heading(void);
/// One line of the table. A limit or a ratio of 0 is none.
void line(const char *name, double ebb, double floor, const char *unit, double limit, double ratio);
int targets_missed(void);

double now_ms(void);
/// A path in the folder of this run; never freed.
char *place(const char *format, ...);
/// Says what went wrong, errno included, and ends.
void die(const char *what);

/// Fills a store with rows 1 to `count`. The program has made the store and added one item, whose row is the model for
/// what a row has beside its id, text and time.
void fill_store(const char *file, int count);
/// Adds rows to a device's store that has one change to be sent, the adding of its last item: with the journal and the
/// history as if each had been added by hand and none had been sent.
void fill_offline(const char *file, int count);

/// A program in a pseudo-terminal.
typedef struct {
  int pid;
  int terminal;
  double started;
} Session;

/// Starts the program and gives the time from its exec until `text` is on the terminal.
double open_session(Session *session, char **command, const char *text);
/// Reads until nothing has come for `quiet` ms; gives how long after `since` the last byte came, and how many came.
/// `first`, when given, gets how long after `since` the first came. Nothing at all gives -1.
double drawn(Session *session, double since, double quiet, double *first, size_t *bytes);
/// Milliseconds since `since` until this text was drawn, whatever else was; -1 if it was not.
double drawn_with(Session *session, double since, const char *text);
/// Lets the benchmark run as soon as something is drawn, if the kernel can (Linux 6.12). Otherwise its own wait for a
/// processor counts as the program's: some milliseconds on a busy machine.
void look_promptly(void);
/// Reads what has come, without waiting.
void discard(Session *session);
void press(Session *session, const char *keys, size_t count);
/// Resident memory in MiB.
double resident(const Session *session);
/// What a process has cost so far, in ms.
double processor_time(int pid);
void close_session(Session *session);

/// What a command has cost: time from its exec, processor time, peak memory in MiB.
typedef struct {
  double wall, cpu, memory;
} Cost;

/// Runs a command to its end with its output in a file. The command has to succeed.
Cost run_command(char **command, const char *output);

/// `ebb serve`, on a free port.
typedef struct {
  int pid, port, output;
} Server;

Server start_server(char *ebb, char *database);
void stop_server(Server *server);
void forget_peak(const Server *server);
/// Peak memory in MiB since it was last forgotten.
double server_peak(const Server *server);

/// A long way to a server, in a process of its own. Shared with that process: what it counts may be read, and `aim`
/// says where the next connections go and how long the round trip is.
typedef struct {
  int pid, port, upstream;
  double delay;
  /// A turn is a request and its answer; `up` and `down` are bytes with everything that HTTP adds.
  _Atomic long connections, turns, up, down;
} Proxy;

Proxy *start_proxy(void);
void aim(Proxy *proxy, int upstream, double round_trip);
void stop_proxy(Proxy *proxy);

/// A socket that listens on a free port of the loopback address.
int listening(int *port);
/// A connection to a port of the loopback address; -1 when nobody listens.
int dial(int port);
/// A thread that reads requests and answers them; gives its port.
int start_responder(void);
/// One request on a new connection that carries this body up, or brings it down, by way of this port.
double post(int port, const char *body);
double get(int port, const char *body);

/// Writes a request into `text` and gives its length.
typedef size_t Request(char *text, size_t size, long number);

/// What many requests have cost.
typedef struct {
  double wall, bytes;
  /// Those that were not answered with 2xx.
  long failed;
  /// From a request to the end of its answer; of the first 4,096.
  Sample times;
} Load;

/// Sends so many requests over so many connections to these servers in turn, each the next as soon as its last was
/// answered. Ends the program if one failed, since such a request is no figure.
Load load(const Server *servers, int server_count, int connections, long count, Request *request);
/// The same with one server.
Load loaded(const Server *server, int connections, long count, Request *request);
/// In us, of milliseconds for all.
double each(double wall, long count);
/// Connections that ask for nothing.
int *idle_connections(int port, int count);
/// Gives how many of them the server had left open.
int close_connections(int *sockets, int count);
/// The body of the answer to a GET on a connection of its own.
char *fetch(int port, const char *path);

/// Rows in one batch.
enum { BATCH = 1000 };
/// The number of the row that is made next.
extern long next_row;
/// Ids in no order, as devices make them.
void row_id(char *id, size_t size, long number);
void row_text(char *text, size_t size, long number);
/// What every request has beside its other headers, with the end of its line; nothing at first.
extern const char *own_header;
size_t request_head(char *text, size_t size, const char *verb, const char *path, size_t length);
/// Of `number`, counted from `next_row`: a row, and so many rows.
size_t write_one(char *request, size_t size, long number);
size_t write_batch(char *request, size_t size, long number);

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
/// Ends with the words of SQLite if `code` is an error. `what` says what was tried.
void sql_check(sqlite3 *database, int code, const char *what);
/// Opens a database, which is made if it is not there.
sqlite3 *sql_opened(const char *file);
sqlite3_stmt *sql_prepared(sqlite3 *database, const char *sql);
void sql_run(sqlite3 *database, const char *sql);

typedef struct Rows Rows;
Rows *read_rows(const char *file, int most);
void free_rows(Rows *rows);
/// The rows as the list that a server would answer with.
char *rows_json(const char *file);
/// Writes the rows into a new database in one durable transaction, and gives how long that took.
double write_rows(const char *file, const Rows *rows);
/// The first column of the first row.
char *one_text(const char *file, const char *sql);
void copy_store(const char *from, const char *to);

/// Measures the list and the short commands beside the floor program.
void measure_list(char *ebb, char *floor, int runs);
/// Measures one change of many items in the list.
void measure_bulk(char *ebb);
/// Measures what a sync in the background, or an idle list, costs.
void measure_background(char *ebb, char *floor);
/// Measures `ebb serve` with many clients and many rows.
void measure_serve(char *ebb);
/// Measures `ebb serve` on PostgreSQL.
void measure_postgres(char *ebb);
/// Measures `ebb sync` between devices and a server.
void measure_sync(char *ebb, int runs);
