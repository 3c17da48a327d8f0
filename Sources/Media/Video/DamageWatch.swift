import Platform
internal import CLibAV

/// The times of damaged pictures: those whose damage libavcodec reports in its log alone, and those behind a gap.
final class DamageWatch {
  private let watch: OpaquePointer
  /// The time that the packet at each place states.
  private var times: [Int64?]
  private var next = 0
  /// The times of damaged pictures that have not been returned yet.
  private var damaged: Set<Int64> = []
  /// Whether libavcodec has reported damage so far.
  private(set) var hasReport = false

  /// Creates the watch of a decoder with `threadCount` threads.
  init(threadCount: Int) throws(OvercrankError) {
    _ = LibAVLog.watched
    // When a place is used again, the thread that had its packet is done.
    times = Array(repeating: nil, count: 2 * max(1, threadCount) + 1)
    guard let watch = clibav_damage_watch_create(Int32(times.count)) else {
      throw OvercrankError.outOfMemory("a decoder")
    }
    self.watch = watch
  }

  deinit { clibav_damage_watch_free(watch) }

  /// Prepares `context` for being sent `packet`.
  func begin(_ packet: Packet, _ context: CodecContext) {
    collect()
    next = (next + 1) % times.count
    times[next] = packet.presentationTimestamp
    if packet.isBehindGap, let time = packet.presentationTimestamp { damaged.insert(time) }
    context.pointer.pointee.opaque = clibav_damage_place(watch, Int32(next))
  }

  /// Returns whether the picture that the decoder has just returned, shown at `time`, is damaged.
  func take(_ time: Int64?) -> Bool {
    collect()
    return time.flatMap { damaged.remove($0) } != nil
  }

  private func collect() {
    while case let place = Int(clibav_next_damaged_place(watch)), place >= 0 {
      hasReport = true
      if let time = times[place] { damaged.insert(time) }
    }
  }
}
