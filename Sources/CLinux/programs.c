#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Room for several frames, so that the program seldom waits; refused quietly above the system's limit.
static const int pipe_size = 1 << 20;

static int spawn(const char *command, int output, int messages, pid_t *program) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, messages, STDERR_FILENO);
    // A group of its own: Ctrl-C ends this program, which then ends that one.
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    // The capture thread may have a real-time priority, which is its own.
    struct sched_param usual = {.sched_priority = 0};
    posix_spawnattr_setschedpolicy(&attributes, SCHED_OTHER);
    posix_spawnattr_setschedparam(&attributes, &usual);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSCHEDULER);
    char *arguments[] = {"sh", "-c", (char *)command, NULL};
    error = posix_spawn(program, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int clinux_start_program(const char *command, struct clinux_program *program) {
  int output[2], messages[2];
  if (pipe2(output, O_CLOEXEC) == -1) return -errno;
  if (pipe2(messages, O_CLOEXEC) == -1) {
    int error = errno;
    close(output[0]);
    close(output[1]);
    return -error;
  }
  pid_t identifier = 0;
  int error = spawn(command, output[1], messages[1], &identifier);
  close(output[1]);
  close(messages[1]);
  if (error != 0) {
    close(output[0]);
    close(messages[0]);
    return -error;
  }
  fcntl(output[0], F_SETPIPE_SZ, pipe_size);
  fcntl(output[0], F_SETFL, O_NONBLOCK);
  fcntl(messages[0], F_SETFL, O_NONBLOCK);
  *program = (struct clinux_program){.identifier = identifier, .output = output[0], .messages = messages[0]};
  return 0;
}

int clinux_await_program(const struct clinux_program *program, int milliseconds) {
  struct pollfd files[2] = {{.fd = program->output, .events = POLLIN}, {.fd = program->messages, .events = POLLIN}};
  if (poll(files, 2, milliseconds) == -1) return errno == EINTR ? 0 : -errno;
  return (files[0].revents != 0 ? 1 : 0) | (files[1].revents != 0 ? 2 : 0);
}

// Whether it ends within this time. It is not reaped, so its number is not another's yet.
static int ends(pid_t program, int milliseconds) {
  for (int waited = 0;; waited += 5) {
    siginfo_t state = {0};
    if (waitid(P_PID, (id_t)program, &state, WEXITED | WNOHANG | WNOWAIT) == -1 || state.si_pid != 0) return 1;
    if (waited >= milliseconds) return 0;
    usleep(5000);
  }
}

int clinux_end_program(const struct clinux_program *program, int grace, int term) {
  close(program->output);
  if (program->messages != -1) close(program->messages);
  if (term) kill(-program->identifier, SIGTERM);
  if (!ends(program->identifier, grace) && !term) {
    kill(-program->identifier, SIGTERM);
    ends(program->identifier, grace);
  }
  // This also ends programs that the shell left running.
  kill(-program->identifier, SIGKILL);
  int status = 0;
  while (waitpid(program->identifier, &status, 0) == -1 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
