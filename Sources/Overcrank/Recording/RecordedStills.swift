import CameraModel
import Capture
import Dispatch
import FoundationEssentials
import Media
import Platform
import Synchronization
import SystemPackage

/// The stills of one recording, written beside its takes during the recording.
///
/// Pictures are made on a thread of their own, so that no frame waits for one.
final class RecordedStills: Sendable {
  /// Returns the path with which the name of a still captured at a moment begins.
  private let named: @Sendable (Date) -> FilePath
  private let camera: CameraIdentity
  private let clock: SessionClock
  private let turnNow: Mutex<PictureTurn>
  private let tell: @Sendable (StillRequest, PhotoStage) -> Void
  private let queue = DispatchQueue(label: "overcrank-stills", qos: .utility)
  private let waiting = Mutex<Int>(0)
  private let told = Mutex<[Result<FilePath, OvercrankError>]>([])

  /// The limit on waiting stills: each holds a frame in memory.
  private static let mostWaiting = 16

  /// Creates the stills of a recording.
  ///
  /// - Parameters:
  ///   - named: returns the path with which the name of a still captured at a moment begins: `clip` for
  ///     `clip-still-1.jpg`.
  ///   - tell: called with each stage of a still.
  init(
    camera: CameraIdentity, clock: SessionClock, turn: PictureTurn,
    named: @escaping @Sendable (Date) -> FilePath,
    tell: @escaping @Sendable (StillRequest, PhotoStage) -> Void
  ) {
    self.named = named
    self.camera = camera
    self.clock = clock
    turnNow = Mutex(turn)
    self.tell = tell
  }

  /// The turn of stills taken from now on.
  var turn: PictureTurn {
    get { turnNow.withLock { $0 } }
    set { turnNow.withLock { $0 = newValue } }
  }

  /// Queues `frame` to be written as a file; returns at once.
  func take(_ frame: CapturedFrame, for request: StillRequest) {
    let isTaken = waiting.withLock { waiting in
      guard waiting < Self.mostWaiting else { return false }
      waiting += 1
      return true
    }
    guard isTaken else {
      return tell(
        request,
        .failed("\(Self.mostWaiting) stills are already waiting to be written. Request fewer at a time."))
    }
    let date = frame.date(on: clock)
    let turn = turn
    queue.async {
      defer { self.waiting.withLock { $0 -= 1 } }
      do {
        let still = try Still(
          frame, turned: turn, tags: PhotoTags(of: frame, at: date, with: self.camera))
        self.tell(request, .processed)
        let path = try self.write(still, beside: self.named(date))
        self.told.withLock { $0.append(.success(path)) }
        self.tell(request, .written(path))
      } catch {
        let error = OvercrankError(recording: error)
        self.told.withLock { $0.append(.failure(error)) }
        self.tell(request, .failed("\(error)"))
      }
    }
  }

  /// Writes a still under the first free name.
  private func write(_ still: Still, beside stem: FilePath) throws(OvercrankError) -> FilePath {
    var number = 1
    while true {
      let path = stem.beside("\(stem.name)-still-\(number).\(still.format.fileExtension)")
      number += 1
      guard !path.exists else { continue }
      try still.write(to: path, replacing: false)
      return path
    }
  }

  /// The outcomes of the finished stills: their files or errors.
  var outcomes: [Result<FilePath, OvercrankError>] { told.withLock { $0 } }

  /// Waits until all stills taken so far are written.
  func finish() async {
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
  }
}

/// The number of stills in progress: begun, and neither written nor failed.
final class PhotoCount: Sendable {
  private let begun = Mutex<Set<StillRequest>>([])

  /// Updates the stage of a still, and returns the number in progress after it.
  func note(_ request: StillRequest, _ stage: PhotoStage) -> Int {
    begun.withLock { begun in
      switch stage {
      case .willBegin: begun.insert(request)
      case .written, .failed: begun.remove(request)
      case .willCapture, .captured, .processed: break
      }
      return begun.count
    }
  }
}
