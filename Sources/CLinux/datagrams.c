#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int clinux_receive_datagrams_at(const char *address, uint16_t port) {
  char service[8];
  snprintf(service, sizeof service, "%u", port);
  // getaddrinfo also reads the interface of a link-local address, as in fe80::1%eth0.
  struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE, .ai_socktype = SOCK_DGRAM};
  struct addrinfo *found = NULL;
  if (getaddrinfo(address, service, &wanted, &found) != 0) return -EADDRNOTAVAIL;
  int error = 0;
  int fd = socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd == -1) {
    error = errno;
  } else {
    int on = 1;
    // [::] then leaves IPv4 to a socket of its own.
    if (found->ai_family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    if (bind(fd, found->ai_addr, found->ai_addrlen) == -1) {
      error = errno;
      close(fd);
    }
  }
  freeaddrinfo(found);
  return error == 0 ? fd : -error;
}

static int64_t nanoseconds(struct timespec time) { return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec; }

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return nanoseconds(time);
}

int64_t clinux_receive_datagram(int fd, void *bytes, size_t capacity, struct clinux_datagram *datagram) {
  union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(struct timespec))];
  } control;
  struct iovec part = {bytes, capacity};
  struct msghdr message = {.msg_name = datagram->sender, .msg_namelen = sizeof datagram->sender, .msg_iov = &part,
                           .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  ssize_t count = recvmsg(fd, &message, 0);
  if (count == -1) return -errno;
  // The kernel stamps with CLOCK_REALTIME. The datagram's age by that clock leads to its arrival by the other.
  int64_t before = now(CLOCK_MONOTONIC);
  int64_t real = now(CLOCK_REALTIME);
  int64_t after = now(CLOCK_MONOTONIC);
  datagram->arrival = before;
  datagram->uncertainty = -1;
  datagram->sender_length = message.msg_namelen;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_TIMESTAMPNS) continue;
    struct timespec stamp;
    memcpy(&stamp, CMSG_DATA(header), sizeof stamp);
    int64_t age = real - nanoseconds(stamp);
    // Another age means that the clock was set meanwhile.
    if (age < 0 || age > 10000000000) continue;
    datagram->arrival = before + (after - before) / 2 - age;
    datagram->uncertainty = (after - before + 1) / 2;
  }
  return count;
}

void clinux_answer_datagram(int fd, const struct clinux_datagram *datagram, const void *bytes, size_t count) {
  sendto(fd, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)datagram->sender,
         datagram->sender_length);
}
