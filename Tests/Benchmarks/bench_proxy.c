// A long way between client and server: a process of its own that holds every byte for half a round trip each way and
// counts what passes. On the loopback address only; it has no limit of bandwidth and no loss.
#define _GNU_SOURCE
#include "bench.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UP, DOWN, WAYS };
enum { LINKS = 64, PIECE = 1 << 16, WINDOW = 1 << 23 };

/// Bytes on their way; a piece of none is the end of the stream.
typedef struct Piece {
  struct Piece *next;
  double due;
  size_t length, sent;
  char bytes[];
} Piece;

/// One connection. `sockets[UP]` is where the bytes of the way up come from, and where those of the way down go.
typedef struct {
  int sockets[WAYS];
  Piece *first[WAYS], **last[WAYS];
  size_t held[WAYS];
  int ended[WAYS], full[WAYS];
  double ready;
  int turn;
} Link;

static Proxy *proxy;
static Link links[LINKS];
static int linked = 0;

static void open_link(int client) {
  int server = dial(proxy->upstream);
  if (server < 0 || linked == LINKS) {
    close(client);
    if (server >= 0) close(server);
    return;
  }
  int on = 1;
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  Link *link = &links[linked++];
  *link = (Link){.sockets = {client, server}, .ready = now_ms() + 2 * proxy->delay, .turn = DOWN};
  for (int way = 0; way < WAYS; way++) link->last[way] = &link->first[way];
  proxy->connections++;
}

static void close_link(Link *link) {
  for (int way = 0; way < WAYS; way++) {
    close(link->sockets[way]);
    for (Piece *piece = link->first[way], *next; piece; piece = next) next = piece->next, free(piece);
  }
  *link = links[--linked];
  for (int way = 0; way < WAYS; way++)
    if (!link->first[way]) link->last[way] = &link->first[way];
}

static void count(Link *link, int way, size_t length) {
  if (way == UP) proxy->up += length;
  else proxy->down += length;
  if (way == UP && link->turn == DOWN) proxy->turns++;
  link->turn = way;
}

/// Takes what has come; the first bytes of a connection also wait for its handshake.
static int take(Link *link, int way) {
  if (link->ended[way]) return 1;
  Piece *piece = malloc(sizeof *piece + PIECE);
  ssize_t length = piece ? recv(link->sockets[way], piece->bytes, PIECE, MSG_DONTWAIT) : -1;
  if (length < 0) {
    int again = piece && (errno == EAGAIN || errno == EINTR);
    free(piece);
    return again;
  }
  double now = now_ms();
  if (length > 0) count(link, way, length);
  else link->ended[way] = 1;
  *piece = (Piece){.due = (way == UP && now < link->ready ? link->ready : now) + proxy->delay, .length = length};
  *link->last[way] = piece;
  link->last[way] = &piece->next;
  link->held[way] += length;
  return 1;
}

/// Passes on what is due. False when the connection is of no more use.
static int pass(Link *link, int way) {
  int target = link->sockets[!way];
  link->full[way] = 0;
  for (Piece *piece; (piece = link->first[way]) && piece->due <= now_ms();) {
    if (piece->length == 0) shutdown(target, SHUT_WR);
    while (piece->sent < piece->length) {
      ssize_t sent = send(target, piece->bytes + piece->sent, piece->length - piece->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent < 0 && errno == EAGAIN) return link->full[way] = 1;
      if (sent < 0) return 0;
      piece->sent += sent;
    }
    link->held[way] -= piece->length;
    link->first[way] = piece->next;
    if (!piece->next) link->last[way] = &link->first[way];
    free(piece);
  }
  return !(link->ended[UP] && link->ended[DOWN] && !link->first[UP] && !link->first[DOWN]);
}

/// What to wait for; gives the time of the next piece that is due.
static double watch(struct pollfd *sockets) {
  double due = 0;
  for (int i = 0; i < linked; i++) {
    for (int way = 0; way < WAYS; way++) {
      Link *link = &links[i];
      int reads = !link->ended[way] && link->held[way] < WINDOW, writes = link->full[!way];
      Piece *next = link->full[way] ? NULL : link->first[way];
      sockets[WAYS * i + way] = (struct pollfd){
        .fd = reads || writes ? link->sockets[way] : -1, .events = (reads ? POLLIN : 0) | (writes ? POLLOUT : 0)};
      if (next && (!due || next->due < due)) due = next->due;
    }
  }
  return due;
}

static void relay(int listener) {
  struct pollfd sockets[WAYS * LINKS + 1];
  for (;;) {
    double due = watch(sockets), wait = due ? due - now_ms() : 1000;
    struct timespec limit = {.tv_nsec = wait > 0 ? (long)(wait * 1e6) % 1000000000 : 0, .tv_sec = wait >= 1000};
    int watched = linked;
    sockets[WAYS * watched] = (struct pollfd){.fd = listener, .events = POLLIN};
    if (ppoll(sockets, WAYS * watched + 1, &limit, NULL) < 0 && errno != EINTR) _exit(1);
    for (int i = watched - 1; i >= 0; i--) {
      int alive = 1;
      for (int way = 0; way < WAYS; way++) {
        if (sockets[WAYS * i + way].revents & ~POLLOUT) alive = alive && take(&links[i], way);
        alive = alive && pass(&links[i], way);
      }
      if (!alive) close_link(&links[i]);
    }
    if (sockets[WAYS * watched].revents) open_link(accept(listener, NULL, NULL));
  }
}

Proxy *start_proxy(void) {
  proxy = mmap(NULL, sizeof *proxy, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (proxy == MAP_FAILED) die("mmap");
  int listener = listening(&proxy->port);
  pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    relay(listener);
  }
  proxy->pid = pid;
  close(listener);
  return proxy;
}

void aim(Proxy *proxy, int upstream, double round_trip) {
  proxy->upstream = upstream;
  proxy->delay = round_trip / 2;
  proxy->connections = proxy->turns = proxy->up = proxy->down = 0;
}

void stop_proxy(Proxy *proxy) {
  kill(proxy->pid, SIGKILL);
  waitpid(proxy->pid, NULL, 0);
}
