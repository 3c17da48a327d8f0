import CameraModel
public import Media
import Platform
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
  }

  /// How much is looked at in one piece, and the most bytes that a JPEG may have.
  private static let (window, longest) = (1 << 18, 1 << 28)

  /// Opens what was left of the master at `path`, and locks it; `nil` where there is a journal, which knows more.
  ///
  /// - Throws: `MediaError` with `busy` where it is being filmed just now.
  public init?(_ path: FilePath) throws(MediaError) {
    let part = try AbandonedPart.ofMaster(at: path)
    guard try part.entries() == nil else { return nil }
    self.path = path
    self.part = part
  }

  /// Makes a master of every whole JPEG, `rate` in a second; removes the part once it is on the disk.
  ///
  /// - Parameters:
  ///   - rate: frames per second of the master's nominal times.
  ///   - replacing: whether a master of the same name may go.
  /// - Throws: `MediaError` with `badData` where there is none; the part stays as it was.
  public consuming func recover(at rate: FrameRate, replacing: Bool) throws(MediaError) -> Recovered {
    guard let format = MasterFormat(.mjpeg) else { preconditionFailure("a master holds JPEGs") }
    var found = Recovered()
    var master: MasterWriter?
    var size: (width: Int, height: Int)?
    var offset: Int64 = 0
    while let start = try nextStart(from: offset) {
      let (bytes, walk) = try jpeg(at: start)
      guard case .whole(let count, let width, let height) = walk, size.map({ $0 == (width, height) }) ?? true
      else {
        found.damaged += 1
        offset = start + 2
        continue
      }
      size = (width, height)
      if master == nil {
        let frames = FrameFormat(.mjpeg, width: width, height: height, acceptedInterval: FrameInterval(rate))
        master = try MasterWriter(
          remaking: path, as: format, of: frames, replacing: replacing, isNominal: true)
      }
      let time = (Fraction(1) / rate.framesPerSecond).scaling(found.frames * 1_000_000_000)
      try bytes.span.bytes.withUnsafeBytes { (frame) throws(MediaError) in
        try master?.write(
          UnsafeRawBufferPointer(rebasing: frame.prefix(count)), sequence: UInt32(clamping: found.frames),
          timestampNanoseconds: time)
      }
      found.frames += 1
      offset = start + Int64(count)
    }
    guard let master = master.take() else {
      throw MediaError(
        .badData,
        "\(AbandonedPart.place(for: path)): its journal is lost, and there is no whole JPEG in it. Raw frames "
          + "are not recovered without a journal: nothing else says where one ends.")
    }
    try master.finish()
    part.remove()
    return found
  }

  /// Where the next SOI is, with another marker behind it; `nil` where there is none.
  private borrowing func nextStart(from offset: Int64) throws(MediaError) -> Int64? {
    var place = offset
    while part.size - place >= 3 {
      let count = Int(min(Int64(Self.window), part.size - place))
      let bytes = try part.content(at: place, count: count) ?? []
      if let start = bytes.indices.dropLast(2).first(where: { index in
        bytes[index] == 0xff && bytes[index + 1] == 0xd8 && bytes[index + 2] == 0xff
      }) {
        return place + Int64(start)
      }
      place += Int64(count - 2)
    }
    return nil
  }

  /// The JPEG at `offset`, perhaps with bytes of what follows it.
  private borrowing func jpeg(at offset: Int64) throws(MediaError) -> (bytes: [UInt8], walk: JPEGWalk) {
    var limit = Self.window
    while true {
      let count = Int(min(Int64(limit), part.size - offset))
      let bytes = try part.content(at: offset, count: count) ?? []
      let walk = JPEGWalk(bytes.span)
      guard walk == .unfinished, count == limit, limit < Self.longest else { return (bytes, walk) }
      limit *= 2
    }
  }
}
