// What Debian unstable's static Swift libraries call that an older Debian lacks, so that they can be linked with it.
// Each has a guard, and is left out where that Debian has it.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#if !__GLIBC_PREREQ(2, 38)
extern "C" {
// glibc's headers since 2.38 have strtol and its like read 0b101, under these names. Swift's libraries read no such numbers.
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsscanf(text, format, arguments);
  va_end(arguments);
  return count;
}

// Both are glibc's since 2.38. They return the length that the whole text would have.
size_t strlcpy(char *to, const char *from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t length = strnlen(to, size);
  return length == size ? size + strlen(from) : length + strlcpy(to + length, from, size - length);
}
}
#endif

#if _GLIBCXX_RELEASE < 13
// Since version 13, libstdc++ sets up std::cout and its like by itself, and each object that includes <iostream> asks for
// this symbol, so as to be linked only with such a library. Before, as here, including it was what set them up.
extern "C" void _ZSt21ios_base_library_initv() {}
#endif
