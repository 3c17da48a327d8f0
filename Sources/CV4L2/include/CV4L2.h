// The kernel's video headers, with inline shims for what Swift cannot import from them.
//
// Shims return -errno rather than setting errno, so that nothing can run between the call and the read.
#ifndef CV4L2_H
#define CV4L2_H

#include <errno.h>
#include <fcntl.h>
#include <linux/media-bus-format.h>
#include <linux/media.h>
#include <linux/v4l2-subdev.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// ioctl is variadic, and its request numbers are function-like macros: Swift imports neither. EINTR is
// retried, as the call has then done nothing.
#define CV4L2_IOCTL(name, request, type)                                       \
  static inline int cv4l2_##name(int fd, type *argument) {                     \
    int result;                                                                \
    do {                                                                       \
      result = ioctl(fd, request, argument);                                   \
    } while (result == -1 && errno == EINTR);                                  \
    return result == -1 ? -errno : result;                                     \
  }

CV4L2_IOCTL(querycap, VIDIOC_QUERYCAP, struct v4l2_capability)
CV4L2_IOCTL(enum_fmt, VIDIOC_ENUM_FMT, struct v4l2_fmtdesc)
CV4L2_IOCTL(enum_framesizes, VIDIOC_ENUM_FRAMESIZES, struct v4l2_frmsizeenum)
CV4L2_IOCTL(enum_frameintervals, VIDIOC_ENUM_FRAMEINTERVALS, struct v4l2_frmivalenum)
CV4L2_IOCTL(g_fmt, VIDIOC_G_FMT, struct v4l2_format)
CV4L2_IOCTL(s_fmt, VIDIOC_S_FMT, struct v4l2_format)
CV4L2_IOCTL(try_fmt, VIDIOC_TRY_FMT, struct v4l2_format)
CV4L2_IOCTL(g_parm, VIDIOC_G_PARM, struct v4l2_streamparm)
CV4L2_IOCTL(s_parm, VIDIOC_S_PARM, struct v4l2_streamparm)
CV4L2_IOCTL(reqbufs, VIDIOC_REQBUFS, struct v4l2_requestbuffers)
CV4L2_IOCTL(querybuf, VIDIOC_QUERYBUF, struct v4l2_buffer)
CV4L2_IOCTL(qbuf, VIDIOC_QBUF, struct v4l2_buffer)
CV4L2_IOCTL(dqbuf, VIDIOC_DQBUF, struct v4l2_buffer)
CV4L2_IOCTL(streamon, VIDIOC_STREAMON, int)
CV4L2_IOCTL(streamoff, VIDIOC_STREAMOFF, int)
CV4L2_IOCTL(query_ext_ctrl, VIDIOC_QUERY_EXT_CTRL, struct v4l2_query_ext_ctrl)
CV4L2_IOCTL(querymenu, VIDIOC_QUERYMENU, struct v4l2_querymenu)
CV4L2_IOCTL(g_ext_ctrls, VIDIOC_G_EXT_CTRLS, struct v4l2_ext_controls)
CV4L2_IOCTL(s_ext_ctrls, VIDIOC_S_EXT_CTRLS, struct v4l2_ext_controls)
CV4L2_IOCTL(enuminput, VIDIOC_ENUMINPUT, struct v4l2_input)
CV4L2_IOCTL(g_input, VIDIOC_G_INPUT, int)
CV4L2_IOCTL(s_input, VIDIOC_S_INPUT, int)
CV4L2_IOCTL(g_priority, VIDIOC_G_PRIORITY, uint32_t)
CV4L2_IOCTL(s_priority, VIDIOC_S_PRIORITY, uint32_t)
CV4L2_IOCTL(subscribe_event, VIDIOC_SUBSCRIBE_EVENT, struct v4l2_event_subscription)
CV4L2_IOCTL(unsubscribe_event, VIDIOC_UNSUBSCRIBE_EVENT, struct v4l2_event_subscription)
CV4L2_IOCTL(dqevent, VIDIOC_DQEVENT, struct v4l2_event)
CV4L2_IOCTL(g_selection, VIDIOC_G_SELECTION, struct v4l2_selection)
CV4L2_IOCTL(s_selection, VIDIOC_S_SELECTION, struct v4l2_selection)
CV4L2_IOCTL(media_device_info, MEDIA_IOC_DEVICE_INFO, struct media_device_info)
CV4L2_IOCTL(media_g_topology, MEDIA_IOC_G_TOPOLOGY, struct media_v2_topology)
CV4L2_IOCTL(media_setup_link, MEDIA_IOC_SETUP_LINK, struct media_link_desc)
CV4L2_IOCTL(subdev_enum_mbus_code, VIDIOC_SUBDEV_ENUM_MBUS_CODE, struct v4l2_subdev_mbus_code_enum)
CV4L2_IOCTL(subdev_enum_frame_size, VIDIOC_SUBDEV_ENUM_FRAME_SIZE, struct v4l2_subdev_frame_size_enum)
CV4L2_IOCTL(subdev_enum_frame_interval, VIDIOC_SUBDEV_ENUM_FRAME_INTERVAL, struct v4l2_subdev_frame_interval_enum)
CV4L2_IOCTL(subdev_g_fmt, VIDIOC_SUBDEV_G_FMT, struct v4l2_subdev_format)
CV4L2_IOCTL(subdev_s_fmt, VIDIOC_SUBDEV_S_FMT, struct v4l2_subdev_format)
CV4L2_IOCTL(subdev_g_selection, VIDIOC_SUBDEV_G_SELECTION, struct v4l2_subdev_selection)
CV4L2_IOCTL(subdev_s_selection, VIDIOC_SUBDEV_S_SELECTION, struct v4l2_subdev_selection)
CV4L2_IOCTL(subdev_g_frame_interval, VIDIOC_SUBDEV_G_FRAME_INTERVAL, struct v4l2_subdev_frame_interval)
CV4L2_IOCTL(subdev_s_frame_interval, VIDIOC_SUBDEV_S_FRAME_INTERVAL, struct v4l2_subdev_frame_interval)

#undef CV4L2_IOCTL

// open is variadic. O_NONBLOCK makes DQBUF answer EAGAIN instead of waiting.
static inline int cv4l2_open(const char *path, int write_access) {
  int fd = open(path, (write_access ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC);
  return fd == -1 ? -errno : fd;
}

// MAP_FAILED is a cast, which Swift does not import: NULL stands for it, and *error holds the cause.
static inline void *cv4l2_map(int fd, size_t length, int64_t offset, int *error) {
  void *address = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
  if (address == MAP_FAILED) {
    *error = errno;
    return NULL;
  }
  *error = 0;
  return address;
}

// major and minor are macros. Returns -ENODEV if the descriptor is not a device node.
static inline int cv4l2_device_number(int fd, uint32_t *major_number, uint32_t *minor_number) {
  struct stat status;
  if (fstat(fd, &status) == -1) return -errno;
  if (!S_ISCHR(status.st_mode)) return -ENODEV;
  *major_number = major(status.st_rdev);
  *minor_number = minor(status.st_rdev);
  return 0;
}

static inline int64_t cv4l2_read(int fd, void *bytes, size_t count) {
  ssize_t result = read(fd, bytes, count);
  return result == -1 ? -errno : result;
}

static inline int64_t cv4l2_write(int fd, const void *bytes, size_t count) {
  ssize_t result = write(fd, bytes, count);
  return result == -1 ? -errno : result;
}

static inline int cv4l2_poll(int fd, short events, int timeout_milliseconds, short *returned) {
  struct pollfd entry = {.fd = fd, .events = events, .revents = 0};
  int result = poll(&entry, 1, timeout_milliseconds);
  *returned = entry.revents;
  return result == -1 ? -errno : result;
}

#endif
