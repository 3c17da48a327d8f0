// Linux calls that Swift's Glibc module does not import, because they are GNU extensions or macros.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>

// Maps `length` bytes of memory twice, back to back, so that accesses past the end wrap to the start. The
// result is NULL, with *error set, if the kernel refuses. Unmap with clinux_unmap_mirrored.
void *clinux_map_mirrored(size_t length, int *error);

// The same with 2 MiB pages that the administrator has reserved; NULL if there are not enough, or if `length`
// is not a multiple of 2 MiB. Reserved pages are unavailable to other programs, so MemAvailable does not
// count them.
void *clinux_map_mirrored_reserved(size_t length);
void clinux_unmap_mirrored(void *address, size_t length);

// Faults in new memory as writable, so that no first access faults. The result is 0 or -errno.
int clinux_touch(void *address, size_t length);

// Prevents memory from being swapped out (mlock2). The result is 0 or -errno; ENOMEM and EPERM mean that
// RLIMIT_MEMLOCK is too low.
int clinux_lock(void *address, size_t length);

// Names the calling thread, as shown by top and gdb; at most 15 characters.
void clinux_name_thread(const char *name);

// Returns the kernel's ID of the calling thread.
int clinux_thread_id(void);

// Schedules a thread of this program, but not threads that it starts, under SCHED_FIFO at `priority`. The
// result is 0 or -errno.
int clinux_schedule_fifo(int thread, int priority);

// Runs the calling thread, and threads that it starts, only on otherwise idle cores (SCHED_IDLE), with the
// lowest disk priority. Marks them all with `mark`, from 0 to 7: the idle I/O class carries a priority level
// that the kernel ignores. The result is 0 or -errno.
int clinux_run_when_idle(int mark);

// Returns the mark of a thread in the idle I/O class; -1 for any other thread.
int clinux_idle_mark(int thread);

// Returns whether a thread of this program is under SCHED_IDLE.
int clinux_runs_when_idle(int thread);

// Restores normal scheduling of a thread of this program. The result is 0 or -errno: EPERM if RLIMIT_NICE
// does not allow it, as for most users.
int clinux_run_as_usual(int thread);

// Returns whether the calling thread may have any capabilities; makes those effective; or drops them for
// good.
int clinux_has_capabilities(void);
void clinux_raise_capabilities(void);
void clinux_drop_capabilities(void);

// The soft limits that getrlimit(2) reports; INT64_MAX if unlimited.
enum clinux_limit { clinux_limit_files, clinux_limit_addresses, clinux_limit_data, clinux_limit_file_size };
int64_t clinux_limit(enum clinux_limit limit);

// Raises the soft limit on open files to `wanted`, or as far as the hard limit allows.
void clinux_raise_file_limit(int64_t wanted);

// Lowers the soft limit on processor time by a second if it equals the hard limit, as "ulimit -t" sets both,
// so that SIGXCPU arrives a second before the kernel kills the program.
void clinux_lower_soft_cpu_limit(void);

// Returns the number of files that this program may still open, counted up to `most`.
int clinux_free_descriptors(int most);

// Returns the number of further threads that this program can start at once, tried up to `most`.
int clinux_free_threads(int most);

// Keeps the calling thread on one CPU. The result is 0 or -errno.
int clinux_pin_to_cpu(int cpu);

// Returns the bytes allocated by malloc and not freed, including mapped ones (mallinfo2), for tests that a
// path allocates nothing.
size_t clinux_allocated_bytes(void);

// Reserves disk space for a range of a file without changing its size. The result is 0 or -errno.
int clinux_reserve(int fd, int64_t offset, int64_t length);

// Marks an open file as an output of ours, by an extended attribute, if its file system has them.
void clinux_mark_output(int fd);

// Returns 1 if the file at a path, which is no link, is marked as an output of ours, 0 if it is not, or -errno:
// -EOPNOTSUPP if its file system has no extended attributes.
int clinux_is_output(const char *path);

// Opens a pipe that programs started later do not inherit: its end to read, and its end to write. Returns 0 or
// -errno.
int clinux_pipe(int ends[2]);

// Opens a Unix stream socket that listens at an unused path, accessible only to its owner; or one connected
// to the listener there. The result is a descriptor or -errno.
int clinux_listen(const char *path);
int clinux_connect(const char *path);

// Returns the user ID at the other end of a connected Unix socket, or -errno.
int64_t clinux_peer_user(int socket);

// Opens a socket that receives datagrams at a numeric address. The result is a descriptor, which never blocks, or
// -errno.
int clinux_receive_datagrams_at(const char *address, uint16_t port);

// The origin of a datagram: its arrival in nanoseconds of CLOCK_MONOTONIC, and its sender.
struct clinux_datagram {
  int64_t arrival;
  // The error of the arrival in nanoseconds; -1 if the kernel did not stamp it, and it is the time of the reading.
  int64_t uncertainty;
  uint32_t sender_length;
  unsigned char sender[128];
};

// Reads the next datagram, up to `capacity` bytes. The result is their number or -errno: -EAGAIN if none waits.
int64_t clinux_receive_datagram(int fd, void *bytes, size_t capacity, struct clinux_datagram *datagram);

// Sends an answer to the sender of a datagram; drops it if the network is busy.
void clinux_answer_datagram(int fd, const struct clinux_datagram *datagram, const void *bytes, size_t count);

// A program whose output is read.
struct clinux_program {
  int32_t identifier;
  // The descriptors of what it writes, and of its messages, or -1 after their end; neither blocks.
  int32_t output;
  int32_t messages;
};

// Starts a command of the shell in a process group of its own, without input. The result is 0 or -errno.
int clinux_start_program(const char *command, struct clinux_program *program);

// Waits until the program has written something or has ended. The result is the sum of 1 for its output and 2 for
// its messages; 0 if there is neither; or -errno.
int clinux_await_program(const struct clinux_program *program, int milliseconds);

// Waits at most `grace` milliseconds for the program's end, after a request to end if `term` is not 0, and then ends it
// and all of its group. Closes its descriptors. The result is its exit code, or 128 and the number of its signal.
int clinux_end_program(const struct clinux_program *program, int grace, int term);

// Opens an input device to read the events of its keys, stamped with CLOCK_MONOTONIC; never blocks. The result is a
// descriptor or -errno: -ENOTTY if it is not an input device, -ENOMSG if it has no keys, or not the one with the number
// `code`; -1 stands for any key.
int clinux_open_keys(const char *path, int code);

// A GPIO chip: its names, and the number of its lines.
struct clinux_gpio_chip {
  char name[33];
  char label[33];
  uint32_t lines;
};

// Opens a GPIO chip and describes it. The result is a descriptor or -errno: -ENOTTY if it is not a GPIO chip.
int clinux_open_gpio_chip(const char *path, struct clinux_gpio_chip *chip);

// A line of a chip: its name, and the program or driver that uses it. Both may be empty.
struct clinux_gpio_line {
  char name[33];
  char consumer[33];
};
int clinux_describe_gpio_line(int chip, uint32_t offset, struct clinux_gpio_line *line);

// Requests a line of an open chip as an input that reports its rising or falling edges, or as an output, which is low at
// first. The result is the line's own descriptor, which never blocks, or -errno: -EBUSY if the line is in use.
int clinux_watch_gpio_line(int chip, uint32_t offset, int falling);
int clinux_drive_gpio_line(int chip, uint32_t offset);

// Sets a requested output. The result is 0 or -errno.
int clinux_set_gpio_line(int line, int is_high);

// Returns the time of the next edge in nanoseconds of CLOCK_MONOTONIC, or -errno: -EAGAIN if there is none.
int64_t clinux_next_gpio_edge(int line);

// Writes each arriving signal as a byte to a pipe, from which clinux_next_signal reads it. The result is 0 or
// -errno.
int clinux_catch_signal(int number);

// Waits for the next caught signal and returns its number.
int clinux_next_signal(void);

// On a crash, restores the terminal at `fd` to its present settings before the crash's usual action.
void clinux_restore_terminal_on_crash(int fd);

// Opens a nameless file in `folder` for reading and writing; it is deleted when closed. Bypasses the page
// cache if `past_cache` is set and the file system supports it. The result is a descriptor or -errno.
int clinux_open_scratch(const char *folder, int past_cache);

// Renames `from` to `to` and never replaces an existing `to` (-EEXIST), even one created meanwhile. Takes two
// steps if the file system has no exclusive rename. The result is 0 or -errno.
int clinux_rename_to_new(const char *from, const char *to);

// Returns whether an attribute of the file at `path` itself, not of a link's target, prevents its removal: immutable or
// append-only, as chattr(1) sets them. 0 if the file system does not tell.
int clinux_is_kept(const char *path);

// Opens an existing file for writing past the page cache (O_DIRECT), in aligned blocks of 4096 bytes.
// Rewrites its first block, padded with zeros, to test this. The result is the descriptor or -errno: -EINVAL
// if the file system refuses O_DIRECT, or accepts it and still uses the page cache (tmpfs, ext4 with
// data=journal).
int clinux_open_direct(const char *path);

// Opens a file to read what is on the disk, past the page cache: with O_DIRECT, in aligned blocks of 4096
// bytes; if the file system refuses that, after dropping the file's cached pages. The result is a descriptor
// or -errno.
int clinux_open_past_cache(const char *path);

// Returns the type of the file system that contains `path`, as statfs(2) numbers them, or -errno.
int64_t clinux_file_system(const char *path);

// Starts writing back the data of fd without waiting for it: sync_file_range(2).
void clinux_start_writeback(int fd);

// Disables transparent huge pages for this whole program from now on: PR_SET_THP_DISABLE of prctl(2).
void clinux_leave_out_huge_pages(void);

#endif
