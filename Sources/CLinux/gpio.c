#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Copies a name of the kernel, which may fill its room without a final zero.
static void copy_name(char to[static 33], const char from[static 32]) {
  memcpy(to, from, 32);
  to[32] = 0;
}

int clinux_open_gpio_chip(const char *path, struct clinux_gpio_chip *chip) {
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd == -1) return -errno;
  struct gpiochip_info information = {0};
  if (ioctl(fd, GPIO_GET_CHIPINFO_IOCTL, &information) == -1) {
    int error = errno;
    close(fd);
    return -error;
  }
  copy_name(chip->name, information.name);
  copy_name(chip->label, information.label);
  chip->lines = information.lines;
  return fd;
}

int clinux_describe_gpio_line(int chip, uint32_t offset, struct clinux_gpio_line *line) {
  struct gpio_v2_line_info information = {.offset = offset};
  if (ioctl(chip, GPIO_V2_GET_LINEINFO_IOCTL, &information) == -1) return -errno;
  copy_name(line->name, information.name);
  copy_name(line->consumer, information.consumer);
  return 0;
}

static int request(int chip, uint32_t offset, uint64_t flags) {
  struct gpio_v2_line_request request = {.offsets = {offset}, .consumer = "overcrank", .num_lines = 1};
  request.config.flags = flags;
  if (ioctl(chip, GPIO_V2_GET_LINE_IOCTL, &request) == -1) return -errno;
  fcntl(request.fd, F_SETFL, O_NONBLOCK);
  fcntl(request.fd, F_SETFD, FD_CLOEXEC);
  return request.fd;
}

int clinux_watch_gpio_line(int chip, uint32_t offset, int falling) {
  // Without a flag for another clock, the kernel stamps edges with CLOCK_MONOTONIC.
  return request(chip, offset,
                 GPIO_V2_LINE_FLAG_INPUT | (falling ? GPIO_V2_LINE_FLAG_EDGE_FALLING : GPIO_V2_LINE_FLAG_EDGE_RISING));
}

int clinux_drive_gpio_line(int chip, uint32_t offset) { return request(chip, offset, GPIO_V2_LINE_FLAG_OUTPUT); }

int clinux_set_gpio_line(int line, int is_high) {
  struct gpio_v2_line_values values = {.bits = is_high ? 1 : 0, .mask = 1};
  return ioctl(line, GPIO_V2_LINE_SET_VALUES_IOCTL, &values) == -1 ? -errno : 0;
}

int64_t clinux_next_gpio_edge(int line) {
  struct gpio_v2_line_event event;
  ssize_t count = read(line, &event, sizeof event);
  if (count == sizeof event) return (int64_t)event.timestamp_ns;
  return count == -1 ? -errno : -EIO;
}
