// `ebb serve` as a process of its own, and what it has cost.
#define _GNU_SOURCE
#include "bench.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

Server start_server(char *ebb, char *database) {
  Server server;
  int pipes[2];
  char said[1024];
  if (pipe(pipes) < 0) die("pipe");
  server.pid = fork();
  if (server.pid < 0) die("fork");
  if (server.pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // A session of its own, as a service has: processor time is shared between sessions first.
    setsid();
    dup2(pipes[1], 1);
    close(pipes[0]);
    close(pipes[1]);
    execv(ebb, (char *[]){ebb, "serve", "--port", "0", "--database", database, NULL});
    _exit(127);
  }
  close(pipes[1]);
  ssize_t length = read(pipes[0], said, sizeof said - 1);
  said[length > 0 ? length : 0] = 0;
  char *address = strstr(said, "http://127.0.0.1:");
  if (!address) die("ebb serve");
  server.port = atoi(address + strlen("http://127.0.0.1:"));
  // Kept open: a server whose standard output is closed could not say anything more.
  server.output = pipes[0];
  return server;
}

void stop_server(Server *server) {
  kill(server->pid, SIGTERM);
  waitpid(server->pid, NULL, 0);
  close(server->output);
}

static FILE *process_file(const Server *server, const char *name, const char *mode) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", server->pid, name);
  return fopen(path, mode);
}

void forget_peak(const Server *server) {
  FILE *file = process_file(server, "clear_refs", "w");
  if (!file) return;
  fputs("5", file);
  fclose(file);
}

double server_peak(const Server *server) {
  char text[256];
  double kilobytes = 0;
  FILE *status = process_file(server, "status", "r");
  if (!status) return 0;
  while (fgets(text, sizeof text, status)) sscanf(text, "VmHWM: %lf", &kilobytes);
  fclose(status);
  return kilobytes / 1024;
}
