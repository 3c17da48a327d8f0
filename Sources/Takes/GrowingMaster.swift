package import Media
package import Platform
import Synchronization
package import SystemPackage
package import Timebase

/// A master that is read while it is written: which of its frames the file has already.
///
/// Whoever writes it never waits for whoever reads.
public final class GrowingMaster: Sendable {
  /// A frame that the file has.
  package struct Frame: Sendable {
    let offset: Int64
    let byteCount: Int
    /// The camera's number of it.
    package let sequence: UInt32
    /// When it was captured.
    package let timestamp: Instant

    init(at offset: Int64, byteCount: Int, sequence: UInt32, timestamp: Instant) {
      self.offset = offset
      self.byteCount = byteCount
      self.sequence = sequence
      self.timestamp = timestamp
    }
  }

  /// The film that the file will be.
  package struct Film: Sendable {
    /// The name that it will have.
    package let path: FilePath
    /// What it holds.
    package let track: VideoTrack
    /// Seconds per frame that the camera agreed to; `nil` where it knows none.
    package let nominalInterval: Fraction?
    private let file: InputFile

    init(_ path: FilePath, _ track: VideoTrack, nominalInterval: Fraction?) throws(OvercrankError) {
      file = try InputFile(AbandonedPart.place(for: path))
      self.path = path
      self.track = track
      self.nominalInterval = nominalInterval
    }

    /// Frame `index`, whose place among all is its time.
    ///
    /// - Throws: `OvercrankError` with `inputOutput` where the disk failed or the file was cut short.
    package func packet(of frame: Frame, _ index: Int) throws(OvercrankError) -> Packet {
      let time = Int64(index)
      return try Packet(byteCount: frame.byteCount, presented: time, decoded: time, isKeyframe: true) {
        (buffer) throws(OvercrankError) in
        let count = try file.read(at: frame.offset, into: buffer)
        guard count == buffer.count else {
          throw OvercrankError(
            .inputOutput, "\(path): was cut short while it was written. Make the clip again.")
        }
      }
    }
  }

  private struct State {
    var film: Film?
    var frames: [Frame] = []
    var hasEnded = false
  }

  private let state = Mutex(State())

  /// A master that is not begun yet; give it to its writer.
  public init() {}

  /// What it is; `nil` before it is begun.
  package var film: Film? { state.withLock { $0.film } }

  /// Whether no further frame follows those that have not been taken.
  package var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// The frames that the file has got since the last call, in their order.
  package func takeFrames() -> [Frame] {
    state.withLock { state in
      defer { state.frames = [] }
      return state.frames
    }
  }

  func begin(_ film: Film) { state.withLock { $0.film = film } }

  /// Moves `frames` over, which the file has now; leaves it at that where somebody else is at it just now.
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
