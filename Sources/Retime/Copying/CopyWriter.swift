import Platform
import Media

/// Writes the frames of a copy, each when the next one comes: the last one has to last until the copy ends.
struct CopyWriter: ~Copyable {
  private var muxer: Muxer
  private let container: Container
  private var held: Frame?
  private var firstDecoded: Int64?
  /// When the last of the frames ends that were written, whether it is shown or not.
  private var writtenEnd: Int64 = 0

  /// A frame of the copy, with its times in ticks.
  struct Frame {
    let packet: Packet
    /// Its place in the film.
    let place: Int
    var presented: Int64
    var decoded: Int64
    var duration: Int64
  }

  init(_ muxer: consuming Muxer, _ container: Container) {
    self.muxer = muxer
    self.container = container
  }

  /// Takes the next frame in the order they are decoded.
  ///
  /// - Throws: `OvercrankError.Code.badData` where its time is before that of the last one.
  mutating func write(_ frame: Frame) throws(OvercrankError) {
    var frame = frame
    if let last = held?.decoded, frame.decoded <= last {
      // Frames at one time are shown one tick after another.
      guard last - frame.decoded <= max(1, frame.duration), frame.presented > last - frame.duration else {
        throw OvercrankError(
          .badData,
          "\(muxer.path): the times of the film go back at its frame \(frame.place). Encode a clip of it instead.",
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
  /// - Parameter end: when the copy ends, in ticks.
  consuming func finish(end: Int64, captureRate: Double?) throws(OvercrankError) {
    if var frame = held {
      frame.duration = max(frame.duration, end - frame.presented)
      // MOV and MP4 state the steps from decoding one frame to decoding the next, which together have to last as long.
      if container.hidesFrames {
        frame.duration = max(frame.duration, end - frame.decoded + (firstDecoded ?? frame.decoded))
      }
      held = frame
    }
    try writeHeld()
    try muxer.finish(captureRate: captureRate, end: writtenEnd > end ? end : nil)
  }
}
