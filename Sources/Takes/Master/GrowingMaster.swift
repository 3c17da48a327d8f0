package import Media
package import Platform
import Synchronization
package import SystemPackage
package import Timebase

/// A master that is read while it is written, with the frames that are already in the file.
///
/// The writer never waits for the reader.
public final class GrowingMaster: Sendable {
  /// A frame that is in the file.
  package struct Frame: Sendable {
    let offset: Int64
    let byteCount: Int
    /// The camera's number of the frame.
    package let sequence: UInt32
    /// The capture time.
    package let timestamp: Instant

    init(at offset: Int64, byteCount: Int, sequence: UInt32, timestamp: Instant) {
      self.offset = offset
      self.byteCount = byteCount
      self.sequence = sequence
      self.timestamp = timestamp
    }
  }

  /// The video that the file will be.
  package struct SourceVideo: Sendable {
    /// The name that the file will have.
    package let path: FilePath
    /// The format of its frames.
    package let track: VideoTrack
    /// Seconds per frame that the camera agreed to; `nil` if it reports none.
    package let nominalInterval: Fraction?
    private let file: InputFile

    init(_ path: FilePath, _ track: VideoTrack, nominalInterval: Fraction?) throws(OvercrankError) {
      file = try InputFile(AbandonedPart.place(for: path))
      self.path = path
      self.track = track
      self.nominalInterval = nominalInterval
    }

    /// Reads frame `index`, whose index is used as its time.
    ///
    /// - Throws: `OvercrankError` with `inputOutput` if the disk failed or the file was cut short.
    package func packet(of frame: Frame, _ index: Int) throws(OvercrankError) -> Packet {
      let time = Int64(index)
      return try Packet(byteCount: frame.byteCount, presented: time, decoded: time, isKeyframe: true) {
        (buffer) throws(OvercrankError) in
        let count = try file.read(at: frame.offset, into: buffer)
        guard count == buffer.count else {
          throw OvercrankError(
            .inputOutput, "\(path): was truncated while it was being written. Make the clip again.")
        }
      }
    }
  }

  private struct State {
    var video: SourceVideo?
    var frames: [Frame] = []
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// Creates a master that is not begun yet; pass it to its writer.
  public init() {}

  /// The video; `nil` before it is begun.
  package var video: SourceVideo? { state.withLock { $0.video } }

  /// Whether no frame follows those that have been reported.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Returns the frames that have reached the file since the last call, in order.
  package func takeFrames() -> [Frame] {
    state.withLock { state in
      defer { state.frames = [] }
      return state.frames
    }
  }

  func begin(_ video: SourceVideo) { state.withLock { $0.video = video } }

  /// Moves over `frames`, which are now in the file; does nothing if another thread holds the lock.
  func take(_ frames: inout [Frame]) {
    guard !frames.isEmpty else { return }
    let isDone: Void? = state.withLockIfAvailable { $0.frames += frames }
    if isDone != nil { frames.removeAll(keepingCapacity: true) }
  }

  /// Moves over the last frames.
  func end(with frames: [Frame] = []) {
    state.withLock { state in
      state.frames += frames
      state.hasEnded = true
    }
  }
}
