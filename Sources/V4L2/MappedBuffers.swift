import CV4L2
import SystemPackage

/// The driver's buffers, mapped, and the memory in which they are passed to and fro.
///
/// All of it is allocated at the start, so that a frame costs no allocation.
struct MappedBuffers: @unchecked Sendable {
  // Unchecked: only one queue has it, which is ~Copyable and used from one thread at a time.

  let count: Int
  let planes: Int
  let clock: TimestampClock
  private let type: UInt32
  private let mappings: UnsafeMutablePointer<UnsafeMutableRawBufferPointer>
  /// Where DQBUF writes; also what the lent buffer reads.
  private let dequeued: UnsafeMutablePointer<v4l2_buffer>
  private let dequeuedPlanes: UnsafeMutablePointer<v4l2_plane>

  /// Asks for `count` buffers of `planes` memory planes each and maps them.
  init(of device: borrowing Device, count: Int, planes: Int) throws(V4L2Error) {
    let fd = device.descriptor.rawValue
    var request = v4l2_requestbuffers()
    request.count = UInt32(clamping: count)
    request.type = device.captureType
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try check(cv4l2_reqbufs(fd, &request), "VIDIOC_REQBUFS", on: device.path)
    guard request.count >= 2 else {
      throw V4L2Error(
        device: device.path, .outOfMemory, call: "VIDIOC_REQBUFS",
        "The driver gave \(request.count) buffers of \(count) asked for, too few to stream. Take a smaller mode."
      )
    }
    let given = Int(request.count)
    self.planes = planes
    self.type = request.type
    mappings = .allocate(capacity: given * planes)
    mappings.initialize(repeating: UnsafeMutableRawBufferPointer(start: nil, count: 0), count: given * planes)
    dequeued = .allocate(capacity: 1)
    dequeued.initialize(to: v4l2_buffer())
    dequeuedPlanes = .allocate(capacity: max(planes, 1))
    dequeuedPlanes.initialize(repeating: v4l2_plane(), count: max(planes, 1))
    self.count = given

    var flags: UInt32 = 0
    var failure: V4L2Error?
    let isMultiplanar = device.capabilities.isMultiplanar
    for index in 0..<given where failure == nil {
      var buffer = v4l2_buffer()
      buffer.index = UInt32(index)
      buffer.type = request.type
      buffer.memory = V4L2_MEMORY_MMAP.rawValue
      if isMultiplanar {
        buffer.m.planes = dequeuedPlanes
        buffer.length = UInt32(planes)
      }
      let result = cv4l2_querybuf(fd, &buffer)
      guard result >= 0 else {
        failure = .call("VIDIOC_QUERYBUF", on: device.path, Errno(rawValue: -result))
        break
      }
      flags = buffer.flags
      for plane in 0..<planes {
        let length = isMultiplanar ? dequeuedPlanes[plane].length : buffer.length
        let offset = isMultiplanar ? dequeuedPlanes[plane].m.mem_offset : buffer.m.offset
        var errno: CInt = 0
        guard let address = cv4l2_map(fd, Int(length), Int64(offset), &errno) else {
          failure = .call("mmap", on: device.path, Errno(rawValue: errno))
          break
        }
        mappings[index * planes + plane] = UnsafeMutableRawBufferPointer(start: address, count: Int(length))
      }
    }
    self.clock = BufferFlags(rawValue: flags).timestampClock
    if let failure {
      free(on: fd)
      throw failure
    }
  }

  /// Whether frames come through the multi-planar API.
  var isMultiplanar: Bool { type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue }

  private func prepare(_ buffer: UnsafeMutablePointer<v4l2_buffer>) {
    buffer.pointee.type = type
    buffer.pointee.memory = V4L2_MEMORY_MMAP.rawValue
    if isMultiplanar {
      buffer.pointee.m.planes = dequeuedPlanes
      buffer.pointee.length = UInt32(planes)
    }
  }

  /// Takes the next filled buffer out of the driver's queue; 0 or a negated errno.
  func dequeue(from fd: CInt) -> CInt {
    prepare(dequeued)
    return cv4l2_dqbuf(fd, dequeued)
  }

  var dequeuedIndex: Int { Int(dequeued.pointee.index) }

  /// Gives buffer `index` to the driver; 0 or a negated errno.
  func queue(_ index: Int, to fd: CInt) -> CInt {
    prepare(dequeued)
    dequeued.pointee.index = UInt32(index)
    dequeued.pointee.flags = 0
    return cv4l2_qbuf(fd, dequeued)
  }

  /// The number and time of the frame in buffer `index`, asked of the driver; `nil` where it does not answer.
  func state(of index: Int, on fd: CInt) -> (sequence: UInt32, timestampNanoseconds: Int64)? {
    prepare(dequeued)
    dequeued.pointee.index = UInt32(index)
    guard cv4l2_querybuf(fd, dequeued) >= 0 else { return nil }
    return (dequeued.pointee.sequence, dequeued.pointee.timestampNanoseconds)
  }

  /// Unmaps the buffers and has the driver free them. Nothing may be used after.
  func free(on fd: CInt) {
    for index in 0..<(count * planes) {
      if let address = mappings[index].baseAddress { munmap(address, mappings[index].count) }
    }
    var request = v4l2_requestbuffers()
    request.type = type
    request.memory = V4L2_MEMORY_MMAP.rawValue
    _ = cv4l2_reqbufs(fd, &request)
    mappings.deallocate()
    dequeued.deallocate()
    dequeuedPlanes.deallocate()
  }

  /// The header that DQBUF filled.
  var header: v4l2_buffer { dequeued.pointee }

  /// Whether the driver gave the dequeued buffer back without having begun a frame in it.
  ///
  /// uvcvideo does so with all that it holds when the camera is pulled out or a transfer fails: marked as errors, empty, and
  /// with the numbers of the frames that were in them before. Such a number is no frame's; one that was lost is a gap.
  var isGivenBack: Bool {
    BufferFlags(rawValue: header.flags).contains(.error)
      && (0..<planes).allSatisfy { filledBytes(ofPlane: $0).isEmpty }
  }

  /// The bytes that the driver filled of memory plane `index` of the dequeued buffer.
  func filledBytes(ofPlane index: Int) -> UnsafeRawBufferPointer {
    let mapping = mappings[dequeuedIndex * planes + index]
    // A driver's numbers are bounded by the mapping before anyone reads by them.
    let used = isMultiplanar ? Int(dequeuedPlanes[index].bytesused) : Int(dequeued.pointee.bytesused)
    let offset = isMultiplanar ? Int(dequeuedPlanes[index].data_offset) : 0
    let end = min(used, mapping.count)
    guard offset < end else { return UnsafeRawBufferPointer(rebasing: mapping[0..<0]) }
    return UnsafeRawBufferPointer(rebasing: mapping[offset..<end])
  }
}

extension v4l2_buffer {
  /// The timestamp in nanoseconds; the kernel gives microseconds.
  var timestampNanoseconds: Int64 {
    Int64(timestamp.tv_sec) &* 1_000_000_000 &+ Int64(timestamp.tv_usec) &* 1000
  }
}
