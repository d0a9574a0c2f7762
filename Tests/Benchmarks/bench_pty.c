// Runs programs in a pseudo-terminal, or plainly, and takes the time.
#define _GNU_SOURCE
#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Patience for anything, in ms; a program that takes longer is not measured but given up.
static const double PATIENCE = 30000;

double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

void die(const char *what) {
  fprintf(stderr, "bench: %s: %s\n", what, strerror(errno));
  exit(1);
}

/// Where a child writes the time right before its exec, for the parent to read.
static volatile double *exec_time(void) {
  static volatile double *shared;
  if (!shared) shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) die("mmap");
  return shared;
}

static void become(char **command) {
  *exec_time() = now_ms();
  execv(command[0], command);
  _exit(127);
}

static ssize_t read_some(Session *session, char *buffer, size_t size, double patience) {
  struct pollfd ready = {.fd = session->terminal, .events = POLLIN};
  struct timespec limit = {.tv_sec = (time_t)(patience / 1e3), .tv_nsec = (long)(patience * 1e6) % 1000000000};
  if (ppoll(&ready, 1, &limit, NULL) <= 0) return 0;
  return read(session->terminal, buffer, size);
}

double open_session(Session *session, char **command, const char *text) {
  static char seen[1 << 20];
  size_t length = 0;
  struct winsize size = {.ws_row = 40, .ws_col = 100};
  exec_time();
  session->pid = forkpty(&session->terminal, NULL, NULL, &size);
  if (session->pid < 0) die("forkpty");
  if (session->pid == 0) become(command);
  double limit = now_ms() + PATIENCE;
  while (now_ms() < limit && length < sizeof seen - 1) {
    ssize_t count = read_some(session, seen + length, sizeof seen - 1 - length, limit - now_ms());
    if (count < 0) break;
    double painted = now_ms();
    length += count;
    seen[length] = 0;
    session->started = *exec_time();
    if (memmem(seen, length, text, strlen(text))) return painted - session->started;
  }
  fprintf(stderr, "bench: %s showed no list; its output was:\n%s\n", command[0], seen);
  exit(1);
}

double drawn(Session *session, double since, double quiet, double *first, size_t *bytes) {
  char buffer[1 << 16];
  double last = -1;
  if (bytes) *bytes = 0;
  for (;;) {
    ssize_t count = read_some(session, buffer, sizeof buffer, last < 0 ? 500 : quiet);
    if (count <= 0) return last;
    double came = now_ms() - since;
    if (last < 0 && first) *first = came;
    last = came;
    if (bytes) *bytes += count;
  }
}

double drawn_with(Session *session, double since, const char *text) {
  char buffer[1 << 16];
  size_t kept = 0;
  for (;;) {
    ssize_t count = read_some(session, buffer + kept, sizeof buffer - kept, 500);
    if (count <= 0) return -1;
    if (memmem(buffer, kept + count, text, strlen(text))) return now_ms() - since;
    // It may be cut between two reads.
    size_t length = kept + count;
    kept = length < strlen(text) ? length : strlen(text) - 1;
    memmove(buffer, buffer + length - kept, kept);
  }
}

/// struct sched_attr of sched_setattr(2), in its first version. The slice of an ordinary process is in `runtime`.
struct scheduling {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
};

void look_promptly(void) {
  struct scheduling wish;
  if (syscall(SYS_sched_getattr, 0, &wish, sizeof wish, 0) != 0) return;
  wish.size = sizeof wish;
  wish.runtime = 100000;
  wish.flags |= 1; // SCHED_FLAG_RESET_ON_FORK
  syscall(SYS_sched_setattr, 0, &wish, 0);
}

void discard(Session *session) {
  char buffer[1 << 16];
  while (read_some(session, buffer, sizeof buffer, 0) > 0) {}
}

void press(Session *session, const char *keys, size_t count) {
  while (count > 0) {
    ssize_t written = write(session->terminal, keys, count);
    if (written < 0) die("write to the terminal");
    keys += written;
    count -= written;
  }
}

double resident(const Session *session) {
  char path[64], line[256];
  double kilobytes = 0;
  snprintf(path, sizeof path, "/proc/%d/status", session->pid);
  FILE *status = fopen(path, "r");
  if (!status) return 0;
  while (fgets(line, sizeof line, status)) sscanf(line, "VmRSS: %lf", &kilobytes);
  fclose(status);
  return kilobytes / 1024;
}

double processor_time(int pid) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) < 0) die("the clock of a process");
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

void close_session(Session *session) {
  kill(session->pid, SIGTERM);
  for (int tries = 0; tries < 200; tries++) {
    drawn(session, 0, 1, NULL, NULL);
    if (waitpid(session->pid, NULL, WNOHANG) == session->pid) break;
    if (tries == 100) kill(session->pid, SIGKILL);
    usleep(5000);
  }
  close(session->terminal);
}

static double milliseconds(struct timeval time) { return time.tv_sec * 1e3 + time.tv_usec / 1e3; }

Cost run_command(char **command, const char *output) {
  exec_time();
  pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) {
    int file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int none = open("/dev/null", O_RDONLY);
    if (file < 0 || none < 0) _exit(126);
    dup2(none, 0);
    dup2(file, 1);
    become(command);
  }
  int status;
  struct rusage usage;
  if (wait4(pid, &status, 0, &usage) < 0) die("wait4");
  double ended = now_ms();
  if (status != 0) {
    fprintf(stderr, "bench: %s %s failed\n", command[0], command[1]);
    exit(1);
  }
  return (Cost){
    .wall = ended - *exec_time(), .cpu = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
    .memory = usage.ru_maxrss / 1024.0};
}
