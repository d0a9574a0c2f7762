// The least an exchange over HTTP can be: a thread that reads a request and answers, and a socket that asks.
#define _GNU_SOURCE
#include "bench.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// What a GET is answered with. Set while nobody asks.
static const char *answer = "";

int listening(int *port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 64) < 0) die("listen");
  if (getsockname(listener, (struct sockaddr *)&address, &size) < 0) die("getsockname");
  *port = ntohs(address.sin_port);
  return listener;
}

int dial(int port) {
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1, connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) < 0) {
    if (connection >= 0) close(connection);
    return -1;
  }
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return connection;
}

/// Sends a message whose head ends with its length.
static void send_message(int connection, const char *head, const char *body) {
  char start[256];
  size_t length = strlen(body), size = snprintf(start, sizeof start, "%sContent-Length: %zu\r\n\r\n", head, length);
  if (send(connection, start, size, MSG_NOSIGNAL | (length ? MSG_MORE : 0)) < 0) return;
  for (ssize_t sent; length > 0; body += sent, length -= sent)
    if ((sent = send(connection, body, length, MSG_NOSIGNAL)) <= 0) return;
}

/// Reads a whole message. True when it is a GET, negative when nothing came.
static int read_message(int connection) {
  static _Thread_local char bytes[1 << 16];
  size_t length = 0, whole = 0;
  for (ssize_t count; !whole || length < whole; length += count) {
    size_t place = whole ? 1024 : length;
    if ((count = recv(connection, bytes + place, sizeof bytes - place - 1, 0)) <= 0) return -1;
    if (whole) continue;
    bytes[length + count] = 0;
    char *end = strstr(bytes, "\r\n\r\n"), *said = strstr(bytes, "Content-Length: ");
    if (end && said) whole = end + 4 - bytes + strtoul(said + 16, NULL, 10);
  }
  return bytes[0] == 'G';
}

static void *respond(void *listener) {
  for (;;) {
    int connection = accept(*(int *)listener, NULL, NULL);
    int reads = connection < 0 ? -1 : read_message(connection);
    if (reads >= 0) send_message(connection, "HTTP/1.1 200 OK\r\n", reads ? answer : "");
    if (connection >= 0) close(connection);
  }
  return NULL;
}

int start_responder(void) {
  static int listener;
  static pthread_t thread;
  int port;
  listener = listening(&port);
  if (pthread_create(&thread, NULL, respond, &listener) != 0) die("pthread_create");
  return port;
}

double post(int port, const char *body) {
  double began = now_ms();
  int connection = dial(port);
  send_message(connection, "POST /tables/todoitem HTTP/1.1\r\nHost: 127.0.0.1\r\n", body);
  if (read_message(connection) < 0) die("the answer to a POST");
  close(connection);
  return now_ms() - began;
}

double get(int port, const char *body) {
  answer = body;
  double began = now_ms();
  int connection = dial(port);
  send_message(connection, "GET /tables/todoitem HTTP/1.1\r\nHost: 127.0.0.1\r\n", "");
  if (read_message(connection) < 0) die("the answer to a GET");
  close(connection);
  return now_ms() - began;
}
