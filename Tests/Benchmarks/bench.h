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

double now_ms(void);
/// Says what went wrong, errno included, and ends.
void die(const char *what);

/// Fills a store with rows 1 to `count`. The program has made the store and added one item, whose row is the model for
/// what a row has beside its id, text and time.
void fill_store(const char *file, int count);

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
void press(Session *session, const char *keys, size_t count);
/// Resident memory in MiB.
double resident(const Session *session);
void close_session(Session *session);

/// Runs a command to its end with its output in a file, and gives how long it took. The command has to succeed.
double time_command(char **command, const char *output);
