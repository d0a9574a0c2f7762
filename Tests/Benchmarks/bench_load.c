// Many connections to a server at once, each of which sends its next request as soon as the last one was answered.
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REQUEST = 1 << 19, HEAD = 8192, TAIL = 7 };

/// One connection, and how much of its answer has come.
typedef struct {
  int socket;
  char head[HEAD];
  size_t length;
  /// Bytes of the body that are missing; negative for a body in chunks, which ends with `tail`.
  long missing;
  int in_body;
  char tail[TAIL];
  double asked;
} Caller;

static void keep_tail(Caller *caller, const char *bytes, size_t count) {
  size_t new = count < TAIL ? count : TAIL;
  memmove(caller->tail, caller->tail + new, TAIL - new);
  memcpy(caller->tail + TAIL - new, bytes + count - new, new);
}

/// Takes in what has come of a body. True at its end.
static int take_body(Caller *caller, const char *bytes, size_t count) {
  if (caller->missing >= 0) return (caller->missing -= count) <= 0;
  keep_tail(caller, bytes, count);
  return !memcmp(caller->tail, "\r\n0\r\n\r\n", TAIL);
}

/// True once the whole answer has come.
static int take(Caller *caller, const char *bytes, size_t count) {
  if (caller->in_body) return take_body(caller, bytes, count);
  size_t room = sizeof caller->head - 1 - caller->length, part = count < room ? count : room;
  memcpy(caller->head + caller->length, bytes, part);
  caller->head[caller->length += part] = 0;
  char *end = strstr(caller->head, "\r\n\r\n");
  if (!end) {
    if (part < count) die("an answer with so long a head");
    return 0;
  }
  const char *said = strcasestr(caller->head, "\r\nContent-Length: ");
  caller->in_body = 1;
  caller->missing = said && said < end ? atol(said + 18) : -1;
  memset(caller->tail, 0, TAIL);
  size_t head = end + 4 - caller->head, before = caller->length - part;
  return take_body(caller, bytes + (head - before), count - (head - before));
}

static void ask(Caller *caller, Request *request, long number) {
  static char text[REQUEST];
  size_t length = request(text, sizeof text, number), sent = 0;
  caller->length = caller->in_body = 0;
  caller->asked = now_ms();
  while (sent < length) {
    ssize_t part = send(caller->socket, text + sent, length - sent, MSG_NOSIGNAL);
    if (part <= 0) die("a server that closes its connections");
    sent += part;
  }
}

static void open_callers(Caller *callers, int count, const Server *servers, int server_count, int queue) {
  for (int i = 0; i < count; i++) {
    callers[i].socket = dial(servers[i % server_count].port);
    if (callers[i].socket < 0) die("connect");
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = callers + i};
    if (epoll_ctl(queue, EPOLL_CTL_ADD, callers[i].socket, &event) < 0) die("epoll_ctl");
  }
}

Load load(const Server *servers, int server_count, int connections, long count, Request *request) {
  static char bytes[1 << 18];
  Caller *callers = calloc(connections, sizeof *callers);
  struct epoll_event events[64];
  int queue = epoll_create1(EPOLL_CLOEXEC);
  Load load = {0};
  long asked = 0, answered = 0;
  open_callers(callers, connections, servers, server_count, queue);
  double began = now_ms();
  while (asked < connections && asked < count) ask(callers + asked, request, asked), asked++;
  while (answered < count) {
    int ready = epoll_wait(queue, events, 64, 60000);
    if (ready <= 0) die("a server that does not answer");
    for (int i = 0; i < ready; i++) {
      Caller *caller = events[i].data.ptr;
      ssize_t came = recv(caller->socket, bytes, sizeof bytes, 0);
      if (came <= 0) die("a server that closes its connections");
      load.bytes += came;
      if (!take(caller, bytes, came)) continue;
      answered++;
      load.failed += strncmp(caller->head, "HTTP/1.1 2", 10) != 0;
      note(&load.times, now_ms() - caller->asked);
      if (asked < count) ask(caller, request, asked++);
    }
  }
  load.wall = now_ms() - began;
  for (int i = 0; i < connections; i++) close(callers[i].socket);
  close(queue);
  free(callers);
  if (load.failed) fprintf(stderr, "bench: %ld of %ld requests failed\n", load.failed, count), exit(1);
  return load;
}

Load loaded(const Server *server, int connections, long count, Request *request) {
  return load(server, 1, connections, count, request);
}

char *fetch(int port, const char *path) {
  int connection = dial(port);
  size_t size = 1 << 20, length = 0;
  char *text = malloc(size), request[1024];
  // In HTTP/1.0 an answer has no chunks, and ends with its connection.
  int head = snprintf(request, sizeof request, "GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n", path);
  if (connection < 0 || send(connection, request, head, MSG_NOSIGNAL) != head) die("a list");
  for (ssize_t came; (came = recv(connection, text + length, size - length - 1, 0)) > 0;) {
    length += came;
    if (size - length < 2) text = realloc(text, size *= 2);
  }
  close(connection);
  text[length] = 0;
  char *body = strstr(text, "\r\n\r\n");
  if (!body || !strstr(text, " 200 ")) die("an answer to a list");
  memmove(text, body + 4, text + length - body - 3);
  return text;
}

int *idle_connections(int port, int count) {
  int *sockets = malloc(count * sizeof *sockets);
  for (int i = 0; i < count; i++) sockets[i] = dial(port);
  return sockets;
}

int close_connections(int *sockets, int count) {
  int open = 0;
  for (int i = 0; i < count; i++) {
    if (sockets[i] < 0) continue;
    char byte;
    // One that the server has closed reads its end at once.
    open += recv(sockets[i], &byte, 1, MSG_DONTWAIT) < 0;
    close(sockets[i]);
  }
  free(sockets);
  return open;
}
