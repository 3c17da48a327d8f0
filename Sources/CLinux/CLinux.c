#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/memfd.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

enum { huge_page = 2 << 20 };

// Maps two halves of `length` bytes back to back, aligned for huge pages. They map fd, or anonymous memory if
// fd is -1.
static void *map_halves(int fd, size_t length, int *error) {
  // A trial mapping shows whether enough huge pages exist. A failed MAP_FIXED over an existing mapping would
  // leave a hole that another thread may fill at once.
  void *trial = fd == -1 ? NULL : mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (trial == MAP_FAILED) {
    *error = errno;
    return NULL;
  }
  // Reserves the address range first; the halves are then mapped over it.
  char *room = mmap(NULL, 2 * length + huge_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) {
    *error = errno;
    if (trial != NULL) munmap(trial, length);
    return NULL;
  }
  char *address = (char *)(((uintptr_t)room + huge_page - 1) & ~(uintptr_t)(huge_page - 1));
  char *end = address + 2 * length;
  if (address > room) munmap(room, (size_t)(address - room));
  if (room + huge_page > address) munmap(end, (size_t)(room + huge_page - address));
  for (int half = 0; half < 2; half++) {
    char *place = address + (size_t)half * length;
    int flags = MAP_SHARED | MAP_FIXED | (fd == -1 ? MAP_ANONYMOUS : 0);
    // With an old size of 0, mremap(2) maps the same shared pages once more.
    void *mapped = fd == -1 && half == 1 ? mremap(address, 0, length, MREMAP_MAYMOVE | MREMAP_FIXED, place)
                                         : mmap(place, length, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (mapped == MAP_FAILED) {
      *error = errno;
      // Unmaps only the other half: another thread may already have mapped something, such as its stack, into
      // this one.
      munmap(half == 0 ? place + length : address, length);
      if (trial != NULL) munmap(trial, length);
      return NULL;
    }
  }
  if (trial != NULL) munmap(trial, length);
  *error = 0;
  return address;
}

// Like map_halves, with a memfd; `flags` are passed to memfd_create.
static void *map_file_halves(unsigned int flags, size_t length, int *error) {
  int fd = memfd_create("overcrank-ring", MFD_CLOEXEC | flags);
  void *address = NULL;
  if (fd == -1 || ftruncate(fd, (off_t)length) == -1) {
    *error = errno;
  } else {
    address = map_halves(fd, length, error);
  }
  if (fd != -1) close(fd);
  return address;
}

void *clinux_map_mirrored_reserved(size_t length) {
#ifdef MADV_POPULATE_WRITE
  if (length % huge_page != 0) return NULL;
  int error;
  char *address = map_file_halves(MFD_HUGETLB | MFD_HUGE_2MB, length, &error);
  if (address == NULL) return NULL;
  // A control group may deny the reserved pages; accessing them would then kill the program.
  if (madvise(address, length, MADV_POPULATE_WRITE) == 0) return address;
  munmap(address, 2 * length);
#endif
  return NULL;
}

void *clinux_map_mirrored(size_t length, int *error) {
  // Uses no file, because the file size limit (ulimit -f) applies to files in memory too.
  void *address = map_halves(-1, length, error);
  // A substitute for the kernel, such as valgrind, may not support an old size of 0.
  if (address == NULL && *error == EINVAL) address = map_file_halves(0, length, error);
  // Takes effect only if /sys/kernel/mm/transparent_hugepage/shmem_enabled is "advise".
  if (address != NULL) madvise(address, 2 * length, MADV_HUGEPAGE);
  return address;
}

void clinux_unmap_mirrored(void *address, size_t length) { munmap(address, 2 * length); }

int clinux_touch(void *address, size_t length) {
#ifdef MADV_POPULATE_WRITE
  if (madvise(address, length, MADV_POPULATE_WRITE) == 0) return 0;
  // Kernels before 5.14 return EINVAL, because they do not have this advice.
  if (errno != EINVAL) return -errno;
#endif
  long page = sysconf(_SC_PAGESIZE);
  for (size_t offset = 0; offset < length; offset += (size_t)page) ((volatile char *)address)[offset] = 0;
  return 0;
}

int clinux_lock(void *address, size_t length) { return mlock2(address, length, 0) == -1 ? -errno : 0; }

void clinux_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int clinux_thread_id(void) { return (int)syscall(SYS_gettid); }

int clinux_schedule_fifo(int thread, int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return sched_setscheduler(thread, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == -1 ? -errno : 0;
}

// IOPRIO_CLASS_IDLE and IOPRIO_WHO_PROCESS of linux/ioprio.h, which is not installed everywhere. The C
// library does not wrap these calls.
enum { disk_idle = 3 << 13, disk_of_thread = 1 };

int clinux_run_when_idle(int mark) {
  struct sched_param parameters = {.sched_priority = 0};
  if (sched_setscheduler(0, SCHED_IDLE, &parameters) == -1) return -errno;
  // I/O schedulers without an idle class ignore this.
  syscall(SYS_ioprio_set, disk_of_thread, 0, disk_idle | (mark & 7));
  return 0;
}

int clinux_idle_mark(int thread) {
  long priority = syscall(SYS_ioprio_get, disk_of_thread, thread);
  return priority >= disk_idle && priority <= (disk_idle | 7) ? (int)(priority & 7) : -1;
}

int clinux_runs_when_idle(int thread) { return sched_getscheduler(thread) == SCHED_IDLE; }

int clinux_run_as_usual(int thread) {
  struct sched_param parameters = {.sched_priority = 0};
  syscall(SYS_ioprio_set, disk_of_thread, thread, 0);
  return sched_setscheduler(thread, SCHED_OTHER, &parameters) == -1 ? -errno : 0;
}

// The C library does not wrap capget(2) and capset(2), which act on a single thread.
static struct __user_cap_header_struct capability_header(void) {
  return (struct __user_cap_header_struct){.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
}

int clinux_has_capabilities(void) {
  struct __user_cap_header_struct header = capability_header();
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
  return syscall(SYS_capget, &header, sets) == 0 && (sets[0].permitted | sets[1].permitted) != 0;
}

void clinux_raise_capabilities(void) {
  struct __user_cap_header_struct header = capability_header();
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {{0}};
  if (syscall(SYS_capget, &header, sets) == -1) return;
  for (int set = 0; set < _LINUX_CAPABILITY_U32S_3; set++) sets[set].effective = sets[set].permitted;
  syscall(SYS_capset, &header, sets);
}

void clinux_drop_capabilities(void) {
  struct __user_cap_header_struct header = capability_header();
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
  syscall(SYS_capset, &header, none);
}

int64_t clinux_limit(enum clinux_limit limit) {
  static const int resources[] = {RLIMIT_NOFILE, RLIMIT_AS, RLIMIT_DATA, RLIMIT_FSIZE};
  struct rlimit value;
  if (getrlimit(resources[limit], &value) == -1 || value.rlim_cur == RLIM_INFINITY) return INT64_MAX;
  return value.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)value.rlim_cur;
}

void clinux_raise_file_limit(int64_t wanted) {
  struct rlimit value;
  if (getrlimit(RLIMIT_NOFILE, &value) == -1 || value.rlim_cur >= (rlim_t)wanted) return;
  value.rlim_cur = value.rlim_max < (rlim_t)wanted ? value.rlim_max : (rlim_t)wanted;
  setrlimit(RLIMIT_NOFILE, &value);
}

void clinux_lower_soft_cpu_limit(void) {
  struct rlimit value;
  if (getrlimit(RLIMIT_CPU, &value) == -1 || value.rlim_cur == RLIM_INFINITY || value.rlim_cur < value.rlim_max) return;
  if (value.rlim_cur < 2) return;
  value.rlim_cur--;
  setrlimit(RLIMIT_CPU, &value);
}

int clinux_free_descriptors(int most) {
  int64_t limit = clinux_limit(clinux_limit_files);
  int count = 0;
  for (int fd = 0; fd < limit && count < most; fd++)
    if (fcntl(fd, F_GETFD) == -1) count++;
  return count;
}

static void *pass(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

int clinux_free_threads(int most) {
  enum { stack = 256 << 10 };
  pthread_t threads[most > 0 ? most : 1];
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  int count = 0;
  pthread_mutex_lock(&gate);
  while (count < most && pthread_create(&threads[count], &attributes, pass, &gate) == 0) count++;
  pthread_mutex_unlock(&gate);
  for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
  pthread_attr_destroy(&attributes);
  return count;
}

int clinux_pin_to_cpu(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return -EINVAL;
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  return sched_setaffinity(0, sizeof set, &set) == -1 ? -errno : 0;
}

size_t clinux_allocated_bytes(void) {
  struct mallinfo2 information = mallinfo2();
  return information.uordblks + information.hblkhd;
}

int clinux_reserve(int fd, int64_t offset, int64_t length) {
  int result;
  do {
    result = fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)length);
  } while (result == -1 && errno == EINTR);
  return result == -1 ? -errno : 0;
}

static const char output_mark[] = "user.overcrank.output";

void clinux_mark_output(int fd) { fsetxattr(fd, output_mark, "1", 1, 0); }

int clinux_is_output(const char *path) {
  if (lgetxattr(path, output_mark, NULL, 0) >= 0) return 1;
  return errno == ENODATA ? 0 : -errno;
}

int clinux_pipe(int ends[2]) {
  return pipe2(ends, O_CLOEXEC) == -1 ? -errno : 0;
}

static int unix_socket(const char *path, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
  strcpy(address->sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return fd == -1 ? -errno : fd;
}

int clinux_listen(const char *path) {
  struct sockaddr_un address;
  int fd = unix_socket(path, &address);
  if (fd < 0) return fd;
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && chmod(path, 0600) == 0 && listen(fd, 8) == 0) return fd;
  int error = errno;
  close(fd);
  return -error;
}

int clinux_connect(const char *path) {
  struct sockaddr_un address;
  int fd = unix_socket(path, &address);
  if (fd < 0) return fd;
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  int error = errno;
  close(fd);
  return -error;
}

int64_t clinux_peer_user(int socket) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) == -1 ? -errno : (int64_t)peer.uid;
}

static int signal_pipe[2] = {-1, -1};

static void caught(int number) {
  int error = errno;
  unsigned char byte = (unsigned char)number;
  // A full pipe already holds thousands of signals, so this one may be dropped.
  if (write(signal_pipe[1], &byte, 1) == -1) errno = error;
}

int clinux_catch_signal(int number) {
  if (signal_pipe[0] == -1) {
    if (pipe2(signal_pipe, O_CLOEXEC) == -1) return -errno;
    fcntl(signal_pipe[1], F_SETFL, O_NONBLOCK);
  }
  struct sigaction action = {.sa_handler = caught, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  // The parent process may have blocked the signal.
  sigset_t unblocked;
  sigemptyset(&unblocked);
  sigaddset(&unblocked, number);
  pthread_sigmask(SIG_UNBLOCK, &unblocked, NULL);
  return sigaction(number, &action, NULL) == -1 ? -errno : 0;
}

int clinux_next_signal(void) {
  unsigned char byte;
  while (read(signal_pipe[0], &byte, 1) != 1) {
  }
  return byte;
}

static int crash_terminal = -1;
static struct termios crash_settings;
static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
static struct sigaction crash_actions[sizeof crashes / sizeof *crashes];

// Async-signal-safe: calls only functions that signal-safety(7) lists.
static void crashed(int number, siginfo_t *information, void *context) {
  (void)context;
  if (tcgetpgrp(crash_terminal) == getpgrp()) tcsetattr(crash_terminal, TCSANOW, &crash_settings);
  // The previous action runs when the faulting instruction is retried or abort(3) continues.
  for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++)
    if (crashes[index] == number) sigaction(number, &crash_actions[index], NULL);
  // A signal that was sent, for example by kill(2), is not retried, so it is raised again.
  if (information->si_code <= 0) raise(number);
}

void clinux_restore_terminal_on_crash(int fd) {
  if (crash_terminal != -1 || tcgetattr(fd, &crash_settings) == -1) return;
  crash_terminal = fd;
  struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_ONSTACK | SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  for (size_t index = 0; index < sizeof crashes / sizeof *crashes; index++)
    sigaction(crashes[index], &action, &crash_actions[index]);
}

int clinux_open_scratch(const char *folder, int past_cache) {
  for (int direct = past_cache ? 1 : 0; direct >= 0; direct--) {
    int extra = O_CLOEXEC | (direct ? O_DIRECT : 0);
    int fd = open(folder, O_TMPFILE | O_RDWR | extra, 0600);
    if (fd != -1) return fd;
    if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return -errno;
    // The file system does not support O_TMPFILE: creates a named file and unlinks it at once.
    char path[4096];
    if (snprintf(path, sizeof path, "%s/.overcrank-XXXXXX", folder) >= (int)sizeof path) return -ENAMETOOLONG;
    fd = mkostemp(path, extra);
    if (fd != -1) {
      unlink(path);
      return fd;
    }
    int error = errno;
    if (direct) {
      // The file may exist even if O_DIRECT was refused.
      unlink(path);
      if (error == EINVAL) continue;
    }
    return -error;
  }
  return -EINVAL;
}

int clinux_is_kept(const char *path) {
  struct statx status;
  if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &status) != 0) return 0;
  return (status.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) != 0;
}

int clinux_rename_to_new(const char *from, const char *to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -errno;
  // The file system has no exclusive rename, as on NFS and 9p. link(2) fails too if the name exists.
  if (link(from, to) == 0) {
    unlink(from);
    return 0;
  }
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return -errno;
  // Without hard links either, an empty file claims the name first.
  int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd == -1) return -errno;
  close(fd);
  if (rename(from, to) == 0) return 0;
  int error = errno;
  unlink(to);
  return -error;
}

// Returns whether the page cache has the first page of a file.
static int is_first_page_cached(int fd) {
  size_t length = (size_t)sysconf(_SC_PAGESIZE);
  void *page = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, 0);
  if (page == MAP_FAILED) return 0;
  unsigned char is_there = 0;
  if (mincore(page, length, &is_there) == -1) is_there = 0;
  munmap(page, length);
  return is_there & 1;
}

int clinux_open_direct(const char *path) {
  enum { block = 4096 };
  int fd = open(path, O_RDWR | O_DIRECT | O_CLOEXEC | O_NOFOLLOW);
  if (fd == -1) return -errno;
  int error = EINVAL;
  char *bytes = aligned_alloc(block, block);
  ssize_t count = bytes == NULL ? -1 : pread(fd, bytes, block, 0);
  if (count >= 0) {
    memset(bytes + count, 0, block - (size_t)count);
    if (pwrite(fd, bytes, block, 0) == block && !is_first_page_cached(fd)) error = 0;
  }
  free(bytes);
  if (error == 0) return fd;
  close(fd);
  return -error;
}

int clinux_open_past_cache(const char *path) {
  enum { block = 4096 };
  int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NOFOLLOW);
  if (fd >= 0) {
    // Some file systems refuse O_DIRECT only at the first read.
    char *bytes = aligned_alloc(block, block);
    int error = bytes == NULL || pread(fd, bytes, block, 0) == -1 ? errno : 0;
    free(bytes);
    if (error != EINVAL) return fd;
    close(fd);
  } else if (errno != EINVAL) {
    return -errno;
  }
  fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd == -1) return -errno;
  posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  return fd;
}

int64_t clinux_file_system(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (int64_t)(uint32_t)status.f_type : -errno;
}

void clinux_start_writeback(int fd) { sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE); }

void clinux_leave_out_huge_pages(void) {
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
}
