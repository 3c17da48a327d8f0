// Makes one call that a program makes on the files of one folder fail, for script/test fail-calls.
//
// FAIL_FOLDER: the folder; calls on other files go through. FAIL_CALL: which call, such as "pwrite", or "change" for
// any that changes something. FAIL_NUMBER: the first that fails, from 1. FAIL_WITH: an errno; or "short", by which a
// read or a write does half of what it was asked; or "kill", by which the program is killed in front of the call;
// FAIL_OFTEN: how many fail from there on (1). FAIL_COUNT: a file that gets the number of such calls when it ends.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *folder, *failing;
static long number, often = 1;
static int error, is_short, is_kill;
static atomic_long count;

static void begin(void) {
  if (folder) return;
  const char *text;
  failing = getenv("FAIL_CALL");
  number = (text = getenv("FAIL_NUMBER")) ? atol(text) : 0;
  often = (text = getenv("FAIL_OFTEN")) ? atol(text) : 1;
  text = getenv("FAIL_WITH");
  is_short = text && strcmp(text, "short") == 0;
  is_kill = text && strcmp(text, "kill") == 0;
  error = text ? atoi(text) : EIO;
  folder = getenv("FAIL_FOLDER");
  if (!folder) folder = "/nowhere";
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAIL_COUNT");
  if (!path) return;
  char text[32];
  int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&count));
  int (*open_file)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  ssize_t (*write_file)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  int fd = open_file(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd != -1 && write_file(fd, text, (size_t)length) < 0) _exit(99);
}

static int is_path_ours(const char *path) {
  begin();
  if (!path) return 0;
  if (path[0] != '/') {
    char here[PATH_MAX];
    return getcwd(here, sizeof here) && strncmp(here, folder, strlen(folder)) == 0;
  }
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int is_fd_ours(int fd) {
  begin();
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_path_ours(path);
}

// Whether this call is one that fails.
static int fails(const char *call, int is_ours) {
  if (!is_ours || !failing) return 0;
  static const char *const changes[] = {"pwrite", "write", "ftruncate", "rename", "renameat2", "link", "unlink",
                                        "mkdir", "create"};
  int is_meant = strcmp(call, failing) == 0;
  for (size_t place = 0; strcmp(failing, "change") == 0 && place < sizeof changes / sizeof *changes; place++)
    is_meant |= strcmp(call, changes[place]) == 0;
  if (!is_meant) return 0;
  long now = atomic_fetch_add(&count, 1) + 1;
  if (number <= 0 || now < number || now >= number + often) return 0;
  if (is_kill) {
    raise(SIGKILL);
    for (;;) pause();
  }
  return 1;
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define FAIL(call, is_ours, result) \
  if (fails(call, is_ours) && !is_short) { \
    errno = error; \
    return result; \
  }

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    FAIL(flags & O_CREAT ? "create" : "open", is_path_ours(path), -1) \
    return real(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
  int name(int at, const char *path, int flags, ...) { \
    REAL(name); \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    FAIL(flags & O_CREAT ? "create" : "open", is_path_ours(path), -1) \
    return real(at, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

// Half, but where that is nothing all: a disk that is full says so at the next call.
#define TRANSFER(call, is_ours, length) \
  if (fails(call, is_ours)) { \
    if (!is_short) { \
      errno = error; \
      return -1; \
    } \
    if (length > 1) length /= 2; \
  }

ssize_t write(int fd, const void *bytes, size_t length) {
  REAL(write);
  TRANSFER("write", is_fd_ours(fd), length)
  return real(fd, bytes, length);
}
ssize_t read(int fd, void *bytes, size_t length) {
  REAL(read);
  TRANSFER("read", is_fd_ours(fd), length)
  return real(fd, bytes, length);
}
#define AT(name, call, buffer) \
  ssize_t name(int fd, buffer bytes, size_t length, off_t offset) { \
    REAL(name); \
    TRANSFER(call, is_fd_ours(fd), length) \
    return real(fd, bytes, length, offset); \
  }
AT(pwrite, "pwrite", const void *)
AT(pwrite64, "pwrite", const void *)
AT(pread, "pread", void *)
AT(pread64, "pread", void *)

ssize_t writev(int fd, const struct iovec *parts, int length) {
  REAL(writev);
  FAIL("write", is_fd_ours(fd), -1)
  return real(fd, parts, length);
}

int fsync(int fd) {
  REAL(fsync);
  FAIL("fsync", is_fd_ours(fd), -1)
  return real(fd);
}
int fdatasync(int fd) {
  REAL(fdatasync);
  FAIL("fdatasync", is_fd_ours(fd), -1)
  return real(fd);
}
int close(int fd) {
  REAL(close);
  if (fails("close", is_fd_ours(fd)) && !is_short) {
    real(fd);  // Linux closes it all the same.
    errno = error;
    return -1;
  }
  return real(fd);
}
int ftruncate(int fd, off_t length) {
  REAL(ftruncate);
  FAIL("ftruncate", is_fd_ours(fd), -1)
  return real(fd, length);
}
int ftruncate64(int fd, off64_t length) {
  REAL(ftruncate64);
  FAIL("ftruncate", is_fd_ours(fd), -1)
  return real(fd, length);
}
int fallocate(int fd, int mode, off_t offset, off_t length) {
  REAL(fallocate);
  FAIL("fallocate", is_fd_ours(fd), -1)
  return real(fd, mode, offset, length);
}
int fallocate64(int fd, int mode, off64_t offset, off64_t length) {
  REAL(fallocate64);
  FAIL("fallocate", is_fd_ours(fd), -1)
  return real(fd, mode, offset, length);
}
int rename(const char *from, const char *to) {
  REAL(rename);
  FAIL("rename", is_path_ours(to), -1)
  return real(from, to);
}
int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  REAL(renameat2);
  FAIL("renameat2", is_path_ours(to), -1)
  return real(from_at, from, to_at, to, flags);
}
int link(const char *from, const char *to) {
  REAL(link);
  FAIL("link", is_path_ours(to), -1)
  return real(from, to);
}
int unlink(const char *path) {
  REAL(unlink);
  FAIL("unlink", is_path_ours(path), -1)
  return real(path);
}
int unlinkat(int at, const char *path, int flags) {
  REAL(unlinkat);
  FAIL("unlink", is_path_ours(path), -1)
  return real(at, path, flags);
}
int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  FAIL("mkdir", is_path_ours(path), -1)
  return real(path, mode);
}
void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  REAL(mmap);
  FAIL("mmap", fd >= 0 && is_fd_ours(fd), MAP_FAILED)
  return real(address, length, protection, flags, fd, offset);
}
void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset) {
  REAL(mmap64);
  FAIL("mmap", fd >= 0 && is_fd_ours(fd), MAP_FAILED)
  return real(address, length, protection, flags, fd, offset);
}
