#include "CLibAV.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

const char *clibav_filter_library(void) { return "libavfilter.so." AV_STRINGIFY(LIBAVFILTER_VERSION_MAJOR); }

bool clibav_load_filter_functions(clibav_filter_functions *functions) {
  void *library = dlopen(clibav_filter_library(), RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return false;
#define CLIBAV_LOAD(name) \
  if ((functions->name = (__typeof__(functions->name))dlsym(library, #name)) == NULL) return false;
  CLIBAV_FILTER_FUNCTIONS(CLIBAV_LOAD)
#undef CLIBAV_LOAD
  return true;
}

struct clibav_damage_watch {
  clibav_damage_watch *next;
  int count;
  // Whether a place may be damaged.
  atomic_bool is_damaged;
  atomic_bool places[];
};

static pthread_mutex_t watches_lock = PTHREAD_MUTEX_INITIALIZER;
static clibav_damage_watch *watches;

// The formats of messages that mean that a part of a picture is missing: the first is logged where the flag is set.
// Other errors may be harmless, such as a missing reference after an entry into an open group of pictures.
static const char *const damage_formats[] = {"concealing %d DC", "error while decoding MB ", "LZW decode failed"};

static void watch_message(void *context, int level, const char *format, va_list arguments) {
  bool is_damage = false;
  for (size_t i = 0; level <= AV_LOG_INFO && i < sizeof(damage_formats) / sizeof(*damage_formats); i++)
    is_damage = is_damage || strncmp(format, damage_formats[i], strlen(damage_formats[i])) == 0;
  if (is_damage && context != NULL && *(const AVClass **)context == avcodec_get_class()) {
    // Another program's decoder has a value of its own here.
    const char *opaque = ((const AVCodecContext *)context)->opaque;
    pthread_mutex_lock(&watches_lock);
    for (clibav_damage_watch *watch = watches; watch != NULL; watch = watch->next) {
      for (int i = 0; i < watch->count; i++) {
        if (opaque != (const char *)&watch->places[i]) continue;
        atomic_store(&watch->places[i], true);
        atomic_store(&watch->is_damaged, true);
      }
    }
    pthread_mutex_unlock(&watches_lock);
  }
  av_log_default_callback(context, level, format, arguments);
}

void clibav_watch_log(void) { av_log_set_callback(watch_message); }

clibav_damage_watch *clibav_damage_watch_create(int places) {
  clibav_damage_watch *watch = calloc(1, sizeof(*watch) + (size_t)places * sizeof(*watch->places));
  if (watch == NULL) return NULL;
  watch->count = places;
  pthread_mutex_lock(&watches_lock);
  watch->next = watches;
  watches = watch;
  pthread_mutex_unlock(&watches_lock);
  return watch;
}

void clibav_damage_watch_free(clibav_damage_watch *watch) {
  pthread_mutex_lock(&watches_lock);
  clibav_damage_watch **link = &watches;
  while (*link != NULL && *link != watch) link = &(*link)->next;
  if (*link != NULL) *link = watch->next;
  pthread_mutex_unlock(&watches_lock);
  free(watch);
}

void *clibav_damage_place(clibav_damage_watch *watch, int place) { return &watch->places[place]; }

int clibav_next_damaged_place(clibav_damage_watch *watch) {
  if (!atomic_exchange(&watch->is_damaged, false)) return -1;
  for (int i = 0; i < watch->count; i++) {
    if (!atomic_exchange(&watch->places[i], false)) continue;
    // There may be more.
    atomic_store(&watch->is_damaged, true);
    return i;
  }
  return -1;
}
