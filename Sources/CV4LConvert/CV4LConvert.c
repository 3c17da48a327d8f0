#include "CV4LConvert.h"

#include <errno.h>
#include <limits.h>
#include <linux/videodev2.h>
#include <string.h>
#include <sys/types.h>

#include <libv4l-plugin.h>
#include <libv4lconvert.h>

// A device that refuses everything. One that could only capture would get libv4lconvert's own controls, which it keeps in
// shared memory.
static int refuse_ioctl(void *state, int fd, unsigned long request, void *argument) {
  if (request == VIDIOC_QUERYCAP) {
    struct v4l2_capability *capability = argument;
    memset(capability, 0, sizeof *capability);
    capability->capabilities = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_OUTPUT;
    return 0;
  }
  errno = ENOTTY;
  return -1;
}

static void *open_nothing(int fd) { return NULL; }

static void close_nothing(void *state) {}

static ssize_t refuse_read(void *state, int fd, void *buffer, size_t count) {
  errno = EBADF;
  return -1;
}

static ssize_t refuse_write(void *state, int fd, const void *buffer, size_t count) {
  errno = EBADF;
  return -1;
}

static const struct libv4l_dev_ops no_device = {
    .init = open_nothing,
    .close = close_nothing,
    .ioctl = refuse_ioctl,
    .read = refuse_read,
    .write = refuse_write,
};

int cv4lconvert_decode(uint32_t pixel_format, int width, int height, uint8_t *frame, size_t size, uint8_t *rgb) {
  if (size > INT_MAX) return -1;
  // The state is new for each frame: some decoders let a damaged frame pass after others.
  struct v4lconvert_data *data = v4lconvert_create_with_dev_ops(-1, NULL, &no_device);
  if (data == NULL) return -1;
  struct v4l2_format source = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  source.fmt.pix.width = width;
  source.fmt.pix.height = height;
  struct v4l2_format target = source;
  source.fmt.pix.pixelformat = pixel_format;
  source.fmt.pix.bytesperline = width;
  target.fmt.pix.pixelformat = V4L2_PIX_FMT_RGB24;
  target.fmt.pix.bytesperline = 3 * width;
  int result = v4lconvert_convert(data, &source, &target, frame, (int)size, rgb, 3 * width * height);
  v4lconvert_destroy(data);
  return result < 0 ? -1 : 0;
}
