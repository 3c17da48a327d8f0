#include "CLibAV.h"

#include <dlfcn.h>

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
