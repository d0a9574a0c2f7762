// The figures: samples, their quantiles, and the lines of the table.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int missed = 0;

void note(Sample *sample, double value) {
  if (sample->count < MOST) sample->values[sample->count++] = value;
}

static int ascending(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

double quantile(Sample *sample, double share) {
  if (sample->count == 0) return 0;
  qsort(sample->values, sample->count, sizeof *sample->values, ascending);
  return sample->values[(int)(share * (sample->count - 1) + 0.5)];
}

void heading(void) {
  printf("Medians, each program in turn. The floor is a C program that does the least possible.\n\n");
  printf("%-40s %8s %8s %-6s %5s   %s\n", "", "ebb", "floor", "", "ratio", "target");
}

void line(const char *name, double ebb, double floor, const char *unit, double limit, double ratio) {
  int ok = (!limit || ebb <= limit) && (!ratio || ebb <= ratio * floor);
  char target[64] = "";
  if (limit) snprintf(target, sizeof target, "%.4g %s", limit, unit);
  if (ratio) snprintf(target + strlen(target), sizeof target - strlen(target), "%s%.2g x", limit ? ", " : "", ratio);
  printf("%-40s %8.2f %8.2f %-6s %5.2f   %-14s %s\n", name, ebb, floor, unit, floor > 0 ? ebb / floor : 0, target,
         limit || ratio ? ok ? "ok" : "MISSED" : "");
  fflush(stdout);
  if (!ok) missed++;
}

int targets_missed(void) { return missed; }
