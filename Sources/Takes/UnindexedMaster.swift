import CameraModel
import Media
public import Platform
public import SystemPackage
public import Timebase

/// A master of JPEGs whose recording was cut off and whose journal is lost: the frames are found by themselves.
///
/// When each was captured, what number it had and what was lost between two of them stood in the journal alone; so it gives
/// a master with nominal times, and no take. Raw frames have no marks, and where one ends is not known without the
/// journal: they are refused.
public struct UnindexedMaster: ~Copyable {
  /// The name that the master was to have.
  public let path: FilePath
  private let part: AbandonedPart

  /// What was found.
  public struct Recovered: Hashable, Sendable {
    /// Frames in the master.
    public var frames: Int64 = 0
    /// Pieces between them that are no whole JPEG of the first one's size.
    public var damaged: Int64 = 0
    /// Bytes of a last JPEG that the end of the part cuts off.
    public var cutOffBytes: Int64 = 0
    /// The part, which stays where bytes in it are neither in the master nor accounted for; `nil` where it is gone.
    public var keptPart: FilePath?
    /// How many such bytes there are.
    public var unknownBytes: Int64 = 0
  }

  /// Opens what was left of the master at `path`, and locks it; `nil` where there is a journal that can be read, which
  /// knows more.
  ///
  /// - Throws: `OvercrankError` with `busy` where it is being filmed just now.
  public init?(_ path: FilePath) throws(OvercrankError) {
    let part = try AbandonedPart.ofMaster(at: path)
    if let entries = try part.entries() {
      let journal = try Journal(entries)
      guard journal == nil else { return nil }
    }
    self.path = path
    self.part = part
  }

  /// Makes a master of every whole JPEG, `rate` in a second; removes the part once that is on the disk, and every byte of
  /// the part is accounted for.
  ///
  /// - Parameters:
  ///   - rate: frames per second of the master's nominal times.
  ///   - replacing: whether a master of the same name may go.
  /// - Throws: `OvercrankError` with `badData` where there is none; the part stays as it was.
  public consuming func recover(at rate: FrameRate, replacing: Bool) throws(OvercrankError) -> Recovered {
    guard let format = MasterFormat(.mjpeg) else { preconditionFailure("a master holds JPEGs") }
    try part.checkIsFree(path, replacing: replacing)
    var search = PartSearch(file: part.file, format: format, size: nil)
    let found = try search.frames(in: search.start()..<max(search.start(), part.file.size))
    guard !found.frames.isEmpty, let size = search.size else {
      throw OvercrankError(
        .badData,
        "\(AbandonedPart.place(for: path)): its journal is lost, and there is no whole JPEG in it. Raw frames "
          + "are not recovered without a journal: nothing else says where one ends.")
    }
    let master = try MasterWriter(
      remaking: path, as: format,
      of: FrameFormat(.mjpeg, width: size.width, height: size.height, acceptedInterval: FrameInterval(rate)),
      replacing: replacing, isNominal: true)
    let interval = Fraction(1) / rate.framesPerSecond
    for (index, frame) in found.frames.enumerated() {
      try path.checkRecoveryGoesOn()
      let bytes = try part.file.bytes(at: frame.offset, count: frame.byteCount)
      try bytes.span.bytes.withUnsafeBytes { (bytes) throws(OvercrankError) in
        try master.write(
          bytes, sequence: UInt32(truncatingIfNeeded: index),
          timestampNanoseconds: interval.scaling(Int64(index) * 1_000_000_000))
      }
    }
    try master.finish()
    if found.unknown == 0 { try part.remove() }
    return Recovered(
      frames: Int64(found.frames.count), damaged: Int64(found.pieces), cutOffBytes: found.cutOff,
      keptPart: found.unknown == 0 ? nil : AbandonedPart.place(for: path),
      unknownBytes: found.unknown)
  }
}
