#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int clinux_open_keys(const char *path, int code) {
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd == -1) return -errno;
  unsigned char kinds[EV_MAX / 8 + 1] = {0}, keys[KEY_MAX / 8 + 1] = {0};
  int clock = CLOCK_MONOTONIC;
  int error = 0;
  if (ioctl(fd, EVIOCGBIT(0, sizeof kinds), kinds) == -1) {
    // Other devices and files do not know this request.
    error = ENOTTY;
  } else if (ioctl(fd, EVIOCGBIT(EV_KEY, sizeof keys), keys) == -1 || ioctl(fd, EVIOCSCLOCKID, &clock) == -1) {
    error = errno;
  } else if (!(kinds[EV_KEY / 8] & 1 << EV_KEY % 8)) {
    error = ENOMSG;
  } else if (code >= 0 && (code > KEY_MAX || !(keys[code / 8] & 1 << code % 8))) {
    error = ENOMSG;
  }
  if (error == 0) return fd;
  close(fd);
  return -error;
}
