// Linux calls that Swift's Glibc module does not import, as they are GNU extensions or macros.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>

// Memory of `length` bytes mapped twice, back to back, so that what runs over the end comes back at the
// start; NULL with *error set where the kernel refuses. Unmap with clinux_unmap_mirrored.
void *clinux_map_mirrored(size_t length, int *error);

// The same in pages of 2 MiB that the administrator has reserved; NULL where there are not enough, or `length` is no
// multiple of 2 MiB. They are no part of what other programs can have, so they are not in MemAvailable either.
void *clinux_map_mirrored_reserved(size_t length);
void clinux_unmap_mirrored(void *address, size_t length);

// Makes the pages of fresh mirrored memory present and writable in both its halves, so that no first access faults.
// The result is 0 or -errno.
int clinux_touch_mirrored(void *address, size_t length);

// Keeps memory from being swapped out (mlock2). The result is 0 or -errno: ENOMEM and EPERM are RLIMIT_MEMLOCK.
int clinux_lock(void *address, size_t length);

// Names the calling thread, as top and gdb show it; 15 characters at most.
void clinux_name_thread(const char *name);

// The kernel's number of the calling thread.
int clinux_thread_id(void);

// Puts a thread of this program, and none that it starts, under SCHED_FIFO at `priority`. The result is 0 or -errno.
int clinux_schedule_fifo(int thread, int priority);

// Has the calling thread, and those that it starts, run only where a core has nothing else to do (SCHED_IDLE), and be
// served last by the disk. They all bear `mark`, from 0 to 7: the level that the disk's idle class has and makes nothing of.
// The result is 0 or -errno.
int clinux_run_when_idle(int mark);

// The mark of a thread of this program that the disk serves last; -1 of others.
int clinux_idle_mark(int thread);

// Whether a thread of this program is under SCHED_IDLE.
int clinux_runs_when_idle(int thread);

// Has a thread of this program run as usual again. The result is 0 or -errno: EPERM where RLIMIT_NICE does not allow it,
// which is so for most users.
int clinux_run_as_usual(int thread);

// Whether the calling thread may have any capabilities; puts those into effect; or takes all of them from it, for good.
int clinux_has_capabilities(void);
void clinux_raise_capabilities(void);
void clinux_drop_capabilities(void);

// What setrlimit(2) lets this program have; INT64_MAX where there is no limit.
enum clinux_limit { clinux_limit_files, clinux_limit_addresses, clinux_limit_data, clinux_limit_file_size };
int64_t clinux_limit(enum clinux_limit limit);

// Raises the limit of open files to `wanted`, or as far as anybody may without asking.
void clinux_raise_file_limit(int64_t wanted);

// Has SIGXCPU come a second before the limit of processor time at which the kernel kills, where both are the same as
// "ulimit -t" sets them.
void clinux_give_notice_of_time(void);

// How many files this program may still open, counted up to `most`.
int clinux_free_descriptors(int most);

// How many threads the system gives this program at once beside those it has, tried up to `most`.
int clinux_free_threads(int most);

// Keeps the calling thread on one CPU. The result is 0 or -errno.
int clinux_pin_to_cpu(int cpu);

// Bytes that malloc has handed out and not got back, mapped ones included (mallinfo2), for tests that prove that a path
// allocates nothing.
size_t clinux_allocated_bytes(void);

// Claims disk space for a range of a file without changing its size. The result is 0 or -errno.
int clinux_reserve(int fd, int64_t offset, int64_t length);

// A Unix stream socket that listens at a path that is free, open to its owner alone; or one that is connected to the
// listener there. The result is a descriptor or -errno.
int clinux_listen(const char *path);
int clinux_connect(const char *path);

// The user at the other end of a connected Unix socket; -errno where the kernel does not say.
int64_t clinux_peer_user(int socket);

// Has a signal written as a byte to a pipe, from which clinux_next_signal takes it. The result is 0 or -errno.
int clinux_catch_signal(int number);

// Waits for the next signal that is caught.
int clinux_next_signal(void);

// Has a crash put the terminal at `fd` back as it is now, before what the crash does otherwise.
void clinux_restore_terminal_on_crash(int fd);

// Opens a file for reading and writing in `folder` that has no name and goes when it is closed; past the page cache where
// that is wanted and the file system can. The result is a descriptor or -errno.
int clinux_open_scratch(const char *folder, int past_cache);

// Renames `from` to `to`, unless `to` exists (-EEXIST), which nothing that appears meanwhile escapes: in one step, or in
// two where the file system has no such rename. The result is 0 or -errno.
int clinux_rename_to_new(const char *from, const char *to);

// Opens an existing file for writing past the page cache (O_DIRECT), in aligned blocks of 4096 bytes; its first block is
// written again for that, and filled up with zeros. The result is the descriptor or -errno, which is -EINVAL where the
// file system cannot, or takes the flag and uses the page cache all the same: tmpfs, ext4 with data=journal.
int clinux_open_direct(const char *path);

// Opens a file for reading what the disk has of it, past the page cache: with O_DIRECT, in blocks of 4096 bytes aligned
// to as many; where the file system cannot, with what the cache has of it dropped. The result is a descriptor or -errno.
int clinux_open_past_cache(const char *path);

// The kind of file system that `path` lies in, as statfs(2) numbers them; -errno where it does not say.
int64_t clinux_file_system(const char *path);

// Starts to bring what was written to fd to the disk, and does not wait for it: sync_file_range(2).
void clinux_start_writeback(int fd);

// Gives this program no huge pages from now on, whoever in it asks for them: PR_SET_THP_DISABLE of prctl(2).
void clinux_leave_out_huge_pages(void);

#endif
