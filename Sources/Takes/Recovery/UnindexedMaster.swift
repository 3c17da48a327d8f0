import CameraModel
public import Platform
public import SystemPackage
public import Timebase

/// A master of JPEGs whose recording was cut off and whose journal is lost: the frames are found by their
/// markers.
///
/// The frames' times, numbers and losses were only in the journal, so the result is a master with nominal
/// times, and no take. Raw frames have no markers, and their ends are unknown without the journal: they are
/// refused.
public struct UnindexedMaster: ~Copyable {
  /// The intended name of the master.
  public let path: FilePath
  private let part: AbandonedPart

  /// The result of a recovery.
  public struct Recovered: Hashable, Sendable {
    /// The number of frames in the master.
    public var frames: Int64 = 0
    /// The number of pieces between them that are not whole JPEGs of the first one's size.
    public var damaged: Int64 = 0
    /// Bytes of a last JPEG that is cut off by the end of the part.
    public var cutOffBytes: Int64 = 0
    /// The part, which is kept if it has bytes that are neither in the master nor accounted for; `nil` if it
    /// was removed.
    public var keptPart: FilePath?
    /// The number of such bytes.
    public var unknownBytes: Int64 = 0
  }

  /// Opens the remains of the master at `path`, and locks them; `nil` if there is a readable journal, for
  /// which `CutOffMaster` is better.
  ///
  /// - Throws: `OvercrankError` with `busy` if it is still being recorded.
  public init?(_ path: FilePath) throws(OvercrankError) {
    let part = try AbandonedPart.ofMaster(at: path)
    if let entries = try part.entries() {
      let journal = try Journal(entries)
      guard journal == nil else { return nil }
    }
    self.path = path
    self.part = part
  }

  /// Makes a master of every whole JPEG, at `rate`; removes the part once the master is on the disk, and
  /// every byte of the part is accounted for.
  ///
  /// - Parameters:
  ///   - rate: frames per second of the master's nominal times.
  ///   - replacing: whether a master of the same name may be replaced.
  /// - Throws: `OvercrankError` with `badData` if there is none; the part is unchanged.
  public consuming func recover(at rate: FrameRate, replacing: Bool) throws(OvercrankError) -> Recovered {
    guard let format = MasterFormat(.mjpeg) else { preconditionFailure("a master holds JPEGs") }
    try part.checkIsFree(path, replacing: replacing)
    var search = PartSearch(file: part.file, format: format, size: nil)
    let found = try search.frames(in: search.start()..<max(search.start(), part.file.size))
    guard !found.frames.isEmpty, let size = search.size else {
      throw OvercrankError(
        .badData,
        "\(AbandonedPart.place(for: path)): its journal is lost, and it contains no complete JPEG. Raw "
          + "frames cannot be recovered without a journal: nothing else states where one ends.")
    }
    let master = try MasterWriter(
      remaking: path, as: format,
      of: FrameFormat(.mjpeg, width: size.width, height: size.height, acceptedInterval: FrameInterval(rate)),
      replacing: replacing, isNominal: true)
    let interval = Fraction(1) / rate.framesPerSecond
    for (index, frame) in found.frames.enumerated() {
      try path.checkRecoveryContinues()
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
