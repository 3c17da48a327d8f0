import Glibc
import Media
import Platform
import SystemPackage
import Timebase

/// Copies the frames of a master, as they are, into files in which frame n is shown after n intervals.
///
/// Programs that look for a frame by its number compute its time from the mean rate. In a copy of the master, which
/// has the capture times, they would miss the frames after a loss. Each file is read back past the page cache and
/// compared with the master, frame by frame, before it gets its name.
struct FrameCopy: ~Copyable {
  private let master: FilePath
  private var source: Demuxer
  /// The same frames again, to compare the copies with.
  private var original: Demuxer

  /// Opens the master.
  ///
  /// - Throws: `OvercrankError` with `unsupported` if its frames are not in the order of their capture, and if it cannot
  ///   be read.
  init(of master: FilePath) throws(OvercrankError) {
    let source = try Demuxer(master)
    try source.checkIsWhole()
    guard source.track.decodingDelay == 0 else {
      throw OvercrankError(
        .unsupported,
        "\(master): its frames are not stored in the order of their capture, so they cannot be numbered. Export it as "
          + "csv, which copies it as it is.")
    }
    self.init(master, source, try Demuxer(master))
  }

  private init(_ master: FilePath, _ source: consuming Demuxer, _ original: consuming Demuxer) {
    self.master = master
    self.source = source
    self.original = original
  }

  /// The codec of the frames.
  var codec: VideoCodec { source.track.codec }

  /// Copies the next `count` frames to `path`.
  ///
  /// - Parameters:
  ///   - container: a container that can hold the codec.
  ///   - rate: the frames per second, whose numerator is the timescale.
  ///   - date: the time of the recording, as ISO 8601.
  ///   - tell: called with the number of further bytes for each frame copied and compared; `false` stops.
  /// - Throws: `OvercrankError`; there is then no file: `cannotCreate` if a file of that name exists that differs,
  ///   `badData` if the master has fewer frames, `inputOutput`, `cancelled`.
  mutating func write(
    _ count: Int, to path: FilePath, in container: Container, rate: Fraction, date: String,
    tell: (VerifiedCopy.Step, Int64) -> Bool
  ) throws(OvercrankError) {
    try FormExport.creating(path) { () throws(OvercrankError) in
      try writeNew(count, to: path, in: container, rate: rate, date: date, tell: tell)
    }
  }

  private mutating func writeNew(
    _ count: Int, to path: FilePath, in container: Container, rate: Fraction, date: String,
    tell: (VerifiedCopy.Step, Int64) -> Bool
  ) throws(OvercrankError) {
    let file = try OutputFile(path, canBeMadeAgain: true, copying: true)
    var muxer = try Muxer(
      to: file, container: container, video: source.track, timescale: Int32(clamping: rate.numerator),
      metadata: ["creation_time": date])
    for index in 0..<count {
      guard let frame = try source.nextPacket() else { throw tooFew }
      let time = Int64(index).multiplied(clamping: rate.denominator)
      try muxer.write(frame, presented: time, decoded: time, duration: rate.denominator)
      guard tell(.copying, Int64(frame.byteCount)) else { throw .stopped(path) }
    }
    try muxer.finish { (part) throws(OvercrankError) in
      try part.checkIsOnDisk(isStopped: { !tell(.comparing, 0) })
      var copy = try Demuxer(part)
      for _ in 0..<count {
        guard let frame = try original.nextPacket() else { throw tooFew }
        guard let copied = try copy.nextPacket(), copied.hasSameBytes(as: frame) else {
          throw Self.differs(path, master)
        }
        guard tell(.comparing, Int64(frame.byteCount)) else { throw .stopped(path) }
      }
      guard try copy.nextPacket() == nil else { throw Self.differs(path, master) }
    }
  }

  /// Checks that all frames have been copied.
  ///
  /// - Throws: `OvercrankError` with `badData`.
  mutating func checkIsAtEnd() throws(OvercrankError) {
    guard try source.nextPacket() != nil else { return }
    throw OvercrankError(.badData, "\(master): has more frames than its take lists. Verify the take.")
  }

  private var tooFew: OvercrankError {
    OvercrankError(.badData, "\(master): has fewer frames than its take lists. Verify the take.")
  }

  private static func differs(_ path: FilePath, _ master: FilePath) -> OvercrankError {
    OvercrankError(
      .inputOutput,
      "\(path): what was written differs from \(master), so it was removed. Export to another disk.")
  }
}

extension Packet {
  /// Returns whether both have the same bytes.
  fileprivate func hasSameBytes(as other: Packet) -> Bool {
    withBytes { one in
      other.withBytes { other in
        guard one.count == other.count else { return false }
        guard let first = one.baseAddress, let second = other.baseAddress else { return one.isEmpty }
        return memcmp(first, second, one.count) == 0
      }
    }
  }
}

extension OvercrankError {
  /// The error of an export that the user stopped.
  static func stopped(_ path: FilePath) -> OvercrankError {
    OvercrankError(.cancelled, "\(path): the export was stopped.")
  }
}
