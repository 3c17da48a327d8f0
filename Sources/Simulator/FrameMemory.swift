/// Bytes that are allocated once and freed with their owner.
struct FrameMemory: ~Copyable {
  /// The first of them.
  let base: UnsafeMutableRawPointer

  /// `count` bytes of zero, aligned for any access.
  init(count: Int) {
    base = .allocate(byteCount: count, alignment: 64)
    base.initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  deinit { base.deallocate() }
}
