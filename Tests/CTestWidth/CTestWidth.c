#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

// Swift Testing begins all tests at once, and the time limit of a test counts while it waits for a thread. Before it
// looks, this says that it is to begin as many as there are processors. What is set already stays.
__attribute__((constructor)) static void begin_a_test_for_each_processor(void) {
  cpu_set_t set;
  char width[16];
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  snprintf(width, sizeof width, "%d", CPU_COUNT(&set));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
