import CV4L2
import SystemPackage

/// The driver's buffers, mapped, and the memory for the driver's header of each.
///
/// All of it is allocated at the start, so that a frame needs no allocation. It is a bundle of pointers
/// without an owner: a ``CaptureQueue`` frees it, and no ``DequeuedBuffer`` outlives the queue.
struct MappedBuffers: @unchecked Sendable {
  // Unchecked: the memory behind the pointers is written for one buffer at a time, by the caller that
  // dequeued it. The kernel gives a buffer to only one caller.

  let count: Int
  let planes: Int
  let clock: TimestampClock
  private let descriptor: CInt
  private let type: UInt32
  /// The device's path, for errors: behind a pointer, since a copy of a path would be reference-counted for
  /// each frame.
  private let path: UnsafeMutablePointer<FilePath>
  private let mappings: UnsafeMutablePointer<UnsafeMutableRawBufferPointer>
  /// The driver's header of each buffer when it was dequeued.
  private let headers: UnsafeMutablePointer<v4l2_buffer>
  private let planeHeaders: UnsafeMutablePointer<v4l2_plane>

  /// `VIDEO_MAX_PLANES` of videodev2.h: the room for a dequeue, whose buffer is not yet known.
  private static var mostPlanes: Int { 8 }
  /// Fewer than two cannot stream; no kernel allocates more than a thousand.
  private static var believableCounts: ClosedRange<UInt32> { 2...65_536 }

  /// Requests `count` buffers of `planes` memory planes each and maps those that the driver allocates.
  init(of device: borrowing Device, count: Int, planes: Int) throws(V4L2Error) {
    let fd = device.descriptor.rawValue
    var request = v4l2_requestbuffers()
    request.count = UInt32(clamping: count)
    request.type = device.captureType
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try check(cv4l2_reqbufs(fd, &request), "VIDIOC_REQBUFS", on: device.path)
    guard Self.believableCounts.contains(request.count), (1...Self.mostPlanes).contains(planes) else {
      let given = request.count
      request.count = 0
      _ = cv4l2_reqbufs(fd, &request)
      throw V4L2Error(
        device: device.path, .outOfMemory, call: "VIDIOC_REQBUFS",
        "The driver gave \(given) buffers of \(planes) planes instead of \(count) buffers: it cannot stream. Choose a smaller mode."
      )
    }
    let given = Int(request.count)
    self.count = given
    self.planes = planes
    self.descriptor = fd
    self.type = request.type
    path = .allocate(capacity: 1)
    path.initialize(to: device.path)
    mappings = .allocate(capacity: given * planes)
    mappings.initialize(repeating: UnsafeMutableRawBufferPointer(start: nil, count: 0), count: given * planes)
    headers = .allocate(capacity: given)
    headers.initialize(repeating: v4l2_buffer(), count: given)
    planeHeaders = .allocate(capacity: given * planes)
    planeHeaders.initialize(repeating: v4l2_plane(), count: given * planes)

    var failure: V4L2Error?
    let isMultiplanar = device.capabilities.isMultiplanar
    for index in 0..<given where failure == nil {
      let header = headers + index
      let planeHeaders = planeHeaders + index * planes
      header.pointee.index = UInt32(index)
      header.pointee.type = request.type
      header.pointee.memory = V4L2_MEMORY_MMAP.rawValue
      if isMultiplanar {
        header.pointee.m.planes = planeHeaders
        header.pointee.length = UInt32(planes)
      }
      let result = cv4l2_querybuf(fd, header)
      guard result >= 0 else {
        failure = .call("VIDIOC_QUERYBUF", on: device.path, Errno(rawValue: -result))
        break
      }
      for plane in 0..<planes {
        let length = isMultiplanar ? planeHeaders[plane].length : header.pointee.length
        let offset = isMultiplanar ? planeHeaders[plane].m.mem_offset : header.pointee.m.offset
        var errno: CInt = 0
        guard let address = cv4l2_map(fd, Int(length), Int64(offset), &errno) else {
          failure = .call("mmap", on: device.path, Errno(rawValue: errno))
          break
        }
        mappings[index * planes + plane] = UnsafeMutableRawBufferPointer(start: address, count: Int(length))
      }
    }
    self.clock = BufferFlags(rawValue: headers.pointee.flags).timestampClock
    if let failure {
      free()
      throw failure
    }
  }

  /// Whether frames come through the multi-planar API.
  private var isMultiplanar: Bool { type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE.rawValue }

  /// Prepares `buffer` for a call about a buffer of this kind with its planes in `planes`.
  private func prepare(_ buffer: inout v4l2_buffer, _ planes: UnsafeMutablePointer<v4l2_plane>?, count: Int) {
    buffer.type = type
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    if isMultiplanar {
      buffer.m.planes = planes
      buffer.length = UInt32(count)
    }
  }

  /// Dequeues the next filled buffer; returns its index, or a negated errno.
  func dequeue() -> CInt {
    withUnsafeTemporaryAllocation(of: v4l2_plane.self, capacity: Self.mostPlanes) { scratch in
      // The buffer's index is not yet known, and the headers of others may be in use.
      var buffer = v4l2_buffer()
      if isMultiplanar { scratch.initialize(repeating: v4l2_plane()) }
      prepare(&buffer, scratch.baseAddress, count: Self.mostPlanes)
      let result = cv4l2_dqbuf(descriptor, &buffer)
      guard result >= 0 else { return result }
      // A driver's index is checked before use.
      guard buffer.index < UInt32(count) else { return -EIO }
      let index = Int(buffer.index)
      headers[index] = buffer
      if isMultiplanar, let source = scratch.baseAddress {
        (planeHeaders + index * planes).update(from: source, count: planes)
      }
      return CInt(index)
    }
  }

  /// Queues buffer `index` at the driver; returns 0 or a negated errno.
  func queue(_ index: Int) -> CInt {
    let header = headers + index
    prepare(&header.pointee, planeHeaders + index * planes, count: planes)
    header.pointee.index = UInt32(index)
    header.pointee.flags = 0
    return cv4l2_qbuf(descriptor, header)
  }

  /// Queues buffer `index` at the driver, and tries a second time if it is refused.
  func requeue(_ index: Int) throws(V4L2Error) {
    // A driver may refuse a buffer just once, perhaps for lack of memory; that must not end a recording.
    if queue(index) >= 0 { return }
    try check(queue(index), "VIDIOC_QBUF", on: path.pointee)
  }

  /// Reads the number and time of the frame in buffer `index` from the driver; `nil` if it does not answer.
  func state(of index: Int) -> (sequence: UInt32, timestampNanoseconds: Int64)? {
    withUnsafeTemporaryAllocation(of: v4l2_plane.self, capacity: Self.mostPlanes) { scratch in
      var buffer = v4l2_buffer()
      if isMultiplanar { scratch.initialize(repeating: v4l2_plane()) }
      prepare(&buffer, scratch.baseAddress, count: Self.mostPlanes)
      buffer.index = UInt32(index)
      guard cv4l2_querybuf(descriptor, &buffer) >= 0 else { return nil }
      return (buffer.sequence, buffer.timestampNanoseconds)
    }
  }

  /// Unmaps the buffers and makes the driver free them. Nothing may be used afterwards.
  func free() {
    for index in 0..<(count * planes) {
      if let address = mappings[index].baseAddress { munmap(address, mappings[index].count) }
    }
    var request = v4l2_requestbuffers()
    request.type = type
    request.memory = V4L2_MEMORY_MMAP.rawValue
    _ = cv4l2_reqbufs(descriptor, &request)
    path.deinitialize(count: 1)
    path.deallocate()
    mappings.deallocate()
    headers.deallocate()
    planeHeaders.deallocate()
  }

  /// Returns the header of buffer `index` from its last DQBUF.
  func header(of index: Int) -> v4l2_buffer { headers[index] }

  /// Returns whether the driver returned buffer `index` without having begun a frame in it.
  ///
  /// uvcvideo does so with all its buffers when the camera is unplugged or a transfer fails: they are marked
  /// as errors, empty, and still have the numbers of their previous frames. Such a number belongs to no
  /// frame; a dropped frame is a gap.
  func isGivenBack(_ index: Int) -> Bool {
    BufferFlags(rawValue: headers[index].flags).contains(.error)
      && (0..<planes).allSatisfy { filledBytes(of: index, plane: $0).isEmpty }
  }

  /// Returns the bytes that the driver filled in memory plane `plane` of buffer `index`.
  func filledBytes(of index: Int, plane: Int) -> UnsafeBufferPointer<UInt8> {
    precondition(plane >= 0 && plane < planes, "a buffer has no such memory plane")
    let mapping = mappings[index * planes + plane]
    // A driver's sizes are limited to the mapping before they are used.
    let header = planeHeaders + index * planes + plane
    let used = isMultiplanar ? Int(header.pointee.bytesused) : Int(headers[index].bytesused)
    let offset = isMultiplanar ? Int(header.pointee.data_offset) : 0
    let end = min(used, mapping.count)
    guard offset < end else { return UnsafeBufferPointer(start: nil, count: 0) }
    return UnsafeBufferPointer(
      rebasing: UnsafeRawBufferPointer(mapping).bindMemory(to: UInt8.self)[offset..<end])
  }
}

extension v4l2_buffer {
  /// The timestamp in nanoseconds; the kernel reports microseconds.
  var timestampNanoseconds: Int64 {
    Int64(timestamp.tv_sec) &* 1_000_000_000 &+ Int64(timestamp.tv_usec) &* 1000
  }
}
