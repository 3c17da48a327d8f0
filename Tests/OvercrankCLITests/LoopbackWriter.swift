import CV4L2
import Foundation

/// A v4l2loopback node that is written through its own memory, so that a frame can claim any time and any
/// size.
struct LoopbackWriter: ~Copyable {
  private let fd: CInt
  private let buffers: [UnsafeMutableRawBufferPointer]
  private var next = 0

  /// The call that the kernel refused.
  struct Refusal: Error {
    var call: String
    var errno: CInt

    /// Throws if `result` is a negated errno.
    static func check(_ result: CInt, _ call: String) throws {
      if result < 0 { throw Refusal(call: call, errno: -result) }
    }
  }

  /// Sets `node` to JPEGs of 320x180 at 60 fps and maps its buffers.
  init(_ node: String, largestFrame: Int) throws {
    let fd = cv4l2_open(node, 1)
    let type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    var buffers: [UnsafeMutableRawBufferPointer] = []
    try Refusal.check(fd, "open")
    var format = v4l2_format()
    format.type = type
    format.fmt.pix.pixelformat = UInt32(0x4750_4a4d)  // MJPG
    (format.fmt.pix.width, format.fmt.pix.height) = (320, 180)
    format.fmt.pix.field = V4L2_FIELD_NONE.rawValue
    format.fmt.pix.sizeimage = UInt32(largestFrame)
    try Refusal.check(cv4l2_s_fmt(fd, &format), "VIDIOC_S_FMT")
    var parameters = v4l2_streamparm()
    parameters.type = type
    parameters.parm.output.timeperframe = v4l2_fract(numerator: 1, denominator: 60)
    try Refusal.check(cv4l2_s_parm(fd, &parameters), "VIDIOC_S_PARM")
    var request = v4l2_requestbuffers()
    (request.count, request.type, request.memory) = (2, type, V4L2_MEMORY_MMAP.rawValue)
    try Refusal.check(cv4l2_reqbufs(fd, &request), "VIDIOC_REQBUFS")
    for index in 0..<request.count {
      var buffer = v4l2_buffer()
      (buffer.index, buffer.type, buffer.memory) = (index, type, V4L2_MEMORY_MMAP.rawValue)
      try Refusal.check(cv4l2_querybuf(fd, &buffer), "VIDIOC_QUERYBUF")
      var error: CInt = 0
      let memory = cv4l2_map(fd, Int(buffer.length), Int64(buffer.m.offset), &error)
      try Refusal.check(-error, "mmap")
      buffers.append(UnsafeMutableRawBufferPointer(start: memory, count: Int(buffer.length)))
    }
    var stream = CInt(bitPattern: type)
    try Refusal.check(cv4l2_streamon(fd, &stream), "VIDIOC_STREAMON")
    self.fd = fd
    self.buffers = buffers
  }

  deinit {
    for buffer in buffers { munmap(buffer.baseAddress, buffer.count) }
    close(fd)
  }

  /// Gives the node as much of `frame` as its buffer holds, but claims all of it.
  ///
  /// - Parameter nanoseconds: the frame's timestamp; if 0, the driver makes one.
  mutating func write(_ frame: [UInt8], stamped nanoseconds: Int64) throws {
    let index = next % buffers.count
    put(frame)
    next += 1
    var buffer = v4l2_buffer()
    buffer.index = UInt32(index)
    buffer.type = V4L2_BUF_TYPE_VIDEO_OUTPUT.rawValue
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    buffer.bytesused = UInt32(frame.count)
    buffer.timestamp = timeval(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_usec: Int(nanoseconds % 1_000_000_000 / 1000))
    try Refusal.check(cv4l2_qbuf(fd, &buffer), "VIDIOC_QBUF")
  }

  /// Puts `frame` into the next buffer, whether or not it is being read, and does not announce it.
  func put(_ frame: [UInt8]) {
    let buffer = buffers[next % buffers.count]
    buffer.copyBytes(from: frame.prefix(buffer.count))
  }
}
