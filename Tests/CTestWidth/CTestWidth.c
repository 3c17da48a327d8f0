#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

// Swift Testing starts all tests at once, and a test's time limit runs while it waits for a thread. This
// limits it to one test per processor, before it reads the variable. A value that is already set stays.
__attribute__((constructor)) static void begin_a_test_for_each_processor(void) {
  cpu_set_t set;
  char width[16];
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  snprintf(width, sizeof width, "%d", CPU_COUNT(&set));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
