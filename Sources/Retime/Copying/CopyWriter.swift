import Platform
import Media
import SystemPackage

/// Writes the frames of a copy, each once the next is known: the last one must last until the copy ends.
struct CopyWriter: ~Copyable {
  private var muxer: Muxer
  private let container: Container
  /// The path of the source.
  private let source: FilePath
  private var held: Frame?
  private var firstDecoded: Int64?
  /// The end of the last frame written, shown or hidden.
  private var writtenEnd: Int64 = 0

  /// A frame of the copy, with its times in ticks.
  struct Frame {
    let packet: Packet
    /// The frame's index among the source's packets.
    let place: Int
    var presented: Int64
    var decoded: Int64
    var duration: Int64
  }

  init(_ muxer: consuming Muxer, _ container: Container, of source: FilePath) {
    self.muxer = muxer
    self.source = source
    self.container = container
  }

  /// Writes the next frame, in decoding order.
  ///
  /// - Throws: `OvercrankError.Code.badData` if its time is before that of the last one.
  mutating func write(_ frame: Frame) throws(OvercrankError) {
    var frame = frame
    if let last = held?.decoded, frame.decoded <= last {
      // Frames with the same time are shown one tick apart.
      guard last - frame.decoded <= max(1, frame.duration), frame.presented > last - frame.duration else {
        throw OvercrankError(
          .badData,
          "\(source): its times go backwards at its frame \(frame.place). Encode a clip of it instead.",
          remedy: .encode)
      }
      frame.decoded = last + 1
      frame.presented = max(frame.presented, frame.decoded)
    }
    try writeHeld()
    held = frame
  }

  private mutating func writeHeld() throws(OvercrankError) {
    guard let frame = held else { return }
    firstDecoded = firstDecoded ?? frame.decoded
    try muxer.write(
      frame.packet, presented: frame.presented, decoded: frame.decoded, duration: frame.duration)
    writtenEnd = max(writtenEnd, frame.presented + frame.duration)
    held = nil
  }

  /// Writes the last frame and the index.
  ///
  /// - Parameter end: the time at which the copy ends, in ticks.
  consuming func finish(end: Int64, captureRate: Double?) throws(OvercrankError) {
    if var frame = held {
      frame.duration = max(frame.duration, end - frame.presented)
      // MOV and MP4 store the steps between decode times, whose sum must equal the copy's length.
      if container.hidesFrames {
        frame.duration = max(frame.duration, end - frame.decoded + (firstDecoded ?? frame.decoded))
      }
      held = frame
    }
    try writeHeld()
    try muxer.finish(captureRate: captureRate, end: writtenEnd > end ? end : nil)
  }
}
