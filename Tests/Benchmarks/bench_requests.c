// Requests to `ebb serve`, the same whatever its database is.
#define _GNU_SOURCE
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long next_row;
const char *own_header = "";

void row_id(char *id, size_t size, long number) {
  unsigned long long mixed = (number + 1) * 0x9E3779B97F4A7C15ull;
  snprintf(id, size, "%08llx-%04llx-4000-8000-%012lx", mixed >> 32, mixed >> 16 & 0xFFFF, number);
}

void row_text(char *text, size_t size, long number) {
  snprintf(text, size, "Bench number %06ld : call the plumber +home @phone", number);
}

size_t request_head(char *text, size_t size, const char *verb, const char *path, size_t length) {
  return snprintf(text, size, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nZUMO-API-VERSION: 3.0.0\r\n"
    "Content-Type: application/json\r\nContent-Length: %zu\r\n%s\r\n", verb, path, length, own_header);
}

static size_t item(char *json, size_t size, long number) {
  char id[64], text[128];
  row_id(id, sizeof id, number), row_text(text, sizeof text, number);
  return snprintf(json, size, "{\"id\":\"%s\",\"text\":\"%s\",\"complete\":false}", id, text);
}

size_t write_one(char *request, size_t size, long number) {
  char json[512];
  size_t body = item(json, sizeof json, next_row + number), length = request_head(request, size, "POST", "/tables/TodoItem", body);
  memcpy(request + length, json, body);
  return length + body;
}

size_t write_batch(char *request, size_t size, long number) {
  static char json[1 << 19];
  size_t body = snprintf(json, sizeof json, "{\"requests\":[");
  for (int i = 0; i < BATCH; i++) {
    body += snprintf(json + body, sizeof json - body,
      "%s{\"id\":\"%d\",\"method\":\"POST\",\"url\":\"/tables/TodoItem\",\"body\":", i ? "," : "", i);
    body += item(json + body, sizeof json - body, next_row + number * BATCH + i);
    body += snprintf(json + body, sizeof json - body, "}");
  }
  body += snprintf(json + body, sizeof json - body, "]}");
  size_t length = request_head(request, size, "POST", "/tables/$batch", body);
  if (length + body > size) die("a batch that is too large");
  memcpy(request + length, json, body);
  return length + body;
}

double each(double wall, long count) { return wall * 1000 / count; }
